"""How resources part from what the template says of them."""
