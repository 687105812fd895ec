"""What share of small changes to Formwork's own code its tests notice, measured by mutmut (docs/decisions/1302)."""
