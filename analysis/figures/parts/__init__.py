"""What figures are made of: style, rows, ends of lines, legends."""
