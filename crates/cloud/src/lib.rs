//! Machines that are rented or queued for.
