"""What an operator of the installation does from its command line."""
