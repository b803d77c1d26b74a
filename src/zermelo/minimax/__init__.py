"""The minimax family: boolean AND/OR, minimax, negamax, alpha-beta, NegaScout, MTD(f)."""
