//! Tests of the laboratory as a whole.

mod connect_checks;
mod damage;
mod evolution;
mod external;
mod fuzz;
mod kinds;
mod layers;
mod notify;
mod stopped;
mod study;
mod verify;
