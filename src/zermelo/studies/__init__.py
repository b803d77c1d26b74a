"""What solved games teach: how difficult they are, what a rule changes, how far searches are from perfect."""
