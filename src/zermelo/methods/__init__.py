"""The methods by name, the choice among them, and the questions that they are asked."""
