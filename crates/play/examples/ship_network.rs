//! Makes the network that comes with the program from a network's file:
//! `cargo run -p gamete-play --example ship_network -- FILE.network crates/players/src/network/small.weights`.

use std::path::Path;

use play::network_file::NetworkFile;
use players::network::{pack, shelf};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [from, to] = arguments.as_slice() else {
        eprintln!("usage: ship_network FILE.network OUT");
        std::process::exit(2);
    };
    let network = NetworkFile::load(Path::new(from)).expect("a network");
    let weights = shelf::get(&network.id).expect("it was loaded");
    let packed = pack(weights.weights());
    std::fs::write(to, &packed).expect("written");
    println!("{} bytes of {}", packed.len(), network.id);
}
