"""Reports: results composed into documents, and documents rendered as HTML and PDF."""
