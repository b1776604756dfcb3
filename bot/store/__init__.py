"""All SQL lives here: one file per family of tables, a connection in, typed rows out."""
