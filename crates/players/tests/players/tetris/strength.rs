//! Strength: mean lines against published and measured figures.
