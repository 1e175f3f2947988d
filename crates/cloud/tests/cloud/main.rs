//! Tests of rented machines and job files.

mod bucket_url;
mod external;
mod fake_program;
mod launches;
mod plan;
mod prices;
mod script;
mod sky;
mod task;
mod yaml;
