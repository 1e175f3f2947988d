//! The price table of the 2048-ga work, as a last resort: it shows what a plan looks like, not what a machine costs today.

use super::Offer;
use crate::clouds::cloud;

/// What these prices are.
pub(super) const ABOUT: &str = "EC2 spot prices of 2017 from the 2048-ga work; today's differ";

/// Machine type, vCPUs, dollars per hour.
const TABLE: [(&str, u32, f64); 5] = [
    ("c4.large", 2, 0.0290),
    ("c4.xlarge", 4, 0.0588),
    ("c4.2xlarge", 8, 0.1140),
    ("c4.4xlarge", 16, 0.2201),
    ("c4.8xlarge", 36, 0.4371),
];

/// Its offers.
pub(super) fn offers() -> Vec<Offer> {
    let aws = cloud("aws").expect("it is in the list");
    let offer = |(machine_type, vcpus, spot): (&str, u32, f64)| Offer {
        cloud: aws,
        region: None,
        machine_type: machine_type.to_owned(),
        vcpus,
        on_demand: None,
        spot: Some(spot),
    };
    TABLE.map(offer).to_vec()
}
