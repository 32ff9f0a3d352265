"""What makes a sentence of a brand's pages a claim: of whom it speaks, what it says, the quantities in it."""
