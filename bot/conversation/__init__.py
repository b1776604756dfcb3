"""One message in, one answer or none out."""
