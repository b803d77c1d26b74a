"""What is known of a game apart from any search: endgame tables, books, how large it is."""
