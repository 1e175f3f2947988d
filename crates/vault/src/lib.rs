//! Directories kept in object stores.
