"""Documents as HTML pages and PDFs."""
