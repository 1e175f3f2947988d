//! Price tables: what is read from them, and what can be wrong with them.

use std::fs;
use std::path::{Path, PathBuf};

use cloud::prices::{Catalogue, Market, Source};
use tempfile::TempDir;

pub(crate) const HEAD: &str = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,AvailabilityZone,Arch";

/// A home directory with a table of SkyPilot's catalogue.
fn home_with(version: &str, cloud: &str, rows: &str) -> (TempDir, PathBuf) {
    let home = tempfile::tempdir().expect("a directory");
    let path = add_table(home.path(), version, cloud, rows);
    (home, path)
}

fn add_table(home: &Path, version: &str, cloud: &str, rows: &str) -> PathBuf {
    let folder = home.join(".sky/catalogs").join(version).join(cloud);
    fs::create_dir_all(&folder).expect("a directory");
    let path = folder.join("vms.csv");
    fs::write(&path, format!("{HEAD}\n{rows}")).expect("a table");
    path
}

fn names(catalogue: &Catalogue) -> Vec<&str> {
    let offers = catalogue.offers.iter();
    offers.map(|offer| offer.machine_type.as_str()).collect()
}

/// The message about a price table.
fn message(path: &Path) -> String {
    let error = Catalogue::find(Some(path), None).expect_err("a bad table");
    error.to_string()
}

/// Checks the message about a price table with this text.
fn check_refused(text: &str, expected: &str) {
    let folder = tempfile::tempdir().expect("a directory");
    fs::create_dir(folder.path().join("aws")).expect("a directory");
    let path = folder.path().join("aws/vms.csv");
    fs::write(&path, text).expect("a table");
    let message = message(&path);
    assert!(
        message.contains(expected),
        "{message}\nshould say: {expected}"
    );
    assert!(message.contains(&path.display().to_string()), "{message}");
}

#[test]
fn the_cheapest_zone_of_a_region_counts() {
    let rows = "c5.large,,,2.0,4.0,,0.085,0.04,us-east-1,us-east-1a,x86_64\n\
                c5.large,,,2.0,4.0,,0.085,0.03,us-east-1,us-east-1b,x86_64\n\
                c5.large,,,2.0,4.0,,0.096,,eu-west-1,eu-west-1a,x86_64\n";
    let (home, _) = home_with("v8", "aws", rows);
    let catalogue = Catalogue::find(None, Some(home.path())).expect("prices");
    let prices: Vec<_> = catalogue
        .offers
        .iter()
        .map(|offer| {
            let region = offer.region.as_deref();
            (
                region,
                offer.price(Market::OnDemand),
                offer.price(Market::Spot),
            )
        })
        .collect();
    assert_eq!(
        prices,
        [
            (Some("eu-west-1"), Some(0.096), None),
            (Some("us-east-1"), Some(0.085), Some(0.03)),
        ]
    );
}

#[test]
fn unsuitable_machines_are_left_out() {
    let rows = "c5.large,,,2.0,4.0,,0.085,0.03,us-east-1,us-east-1a,x86_64\n\
                t3.large,,,2.0,8.0,,0.083,0.02,us-east-1,us-east-1a,x86_64\n\
                c6g.large,,,2.0,4.0,,0.068,0.02,us-east-1,us-east-1a,arm64\n\
                m3.large,,,2.0,7.5,,0.133,0.02,us-east-1,us-east-1a,x86_64\n\
                p3.2xlarge,V100,1.0,8.0,61.0,\"{'Gpus': [{'Name': 'V100', 'Count': 1}]}\",3.06,0.9,us-east-1,us-east-1a,x86_64\n\
                c5.free,,,2.0,4.0,,,,us-east-1,us-east-1a,x86_64\n\
                c5.nothing,,,0.5,4.0,,0.1,0.1,us-east-1,us-east-1a,x86_64\n";
    let (home, _) = home_with("v8", "aws", rows);
    let catalogue = Catalogue::find(None, Some(home.path())).expect("prices");
    assert_eq!(names(&catalogue), ["c5.large"]);
}

#[test]
fn the_newest_catalogue_of_all_clouds_is_taken() {
    let (home, _) = home_with("v9", "aws", "old.large,,,2,4,,0.1,0.03,r,z,\n");
    add_table(
        home.path(),
        "v10",
        "aws",
        "new.large,,,2,4,,0.1,0.03,r,z,\n",
    );
    add_table(
        home.path(),
        "v10",
        "gcp",
        "n2-standard-2,,,2,8,,0.1,0.02,r,z,\n",
    );
    add_table(home.path(), "v10", "lambda", "other,,,2,8,,0.1,0.02,r,z,\n");
    let catalogue = Catalogue::find(None, Some(home.path())).expect("prices");
    assert_eq!(names(&catalogue), ["new.large", "n2-standard-2"]);
    let source = catalogue.source.to_string();
    assert!(
        source.starts_with("SkyPilot's catalogue, downloaded on 20"),
        "{source}"
    );
}

#[test]
fn a_given_file_is_preferred_and_has_a_date() {
    let (home, _) = home_with("v8", "aws", "other.large,,,2,4,,0.1,0.03,r,z,\n");
    let (_other, named) = home_with("v8", "gcp", "n2-standard-2,,,2,8,,0.1,0.02,r,z,\n");
    let catalogue = Catalogue::find(Some(&named), Some(home.path())).expect("prices");
    assert_eq!(names(&catalogue), ["n2-standard-2"]);
    assert_eq!(catalogue.offers[0].cloud.name, "gcp");
    assert!(
        catalogue
            .source
            .to_string()
            .contains("vms.csv, modified on 20")
    );
}

#[test]
fn a_file_may_say_the_cloud_in_a_column() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("prices.csv");
    let head = "Cloud,InstanceType,vCPUs,Price,SpotPrice,Region";
    fs::write(&path, format!("{head}\ngcp,n2-standard-2,2,0.1,0.02,r\n")).expect("a table");
    let catalogue = Catalogue::find(Some(&path), None).expect("prices");
    assert_eq!(catalogue.offers[0].cloud.name, "gcp");

    fs::write(&path, format!("{head}\n\n,n2-standard-2,2,0.1,0.02,r\n")).expect("a table");
    let error = message(&path);
    assert!(
        error.contains("line 3: the column 'Cloud' is empty"),
        "{error}"
    );

    fs::write(&path, format!("{head}\nibm,x,2,0.1,0.02,r\n")).expect("a table");
    let error = message(&path);
    assert!(
        error.contains("line 2: unknown cloud 'ibm'; expected one of aws, gcp"),
        "{error}"
    );

    fs::write(&path, "InstanceType,vCPUs,Price,SpotPrice,Region\n").expect("a table");
    let error = message(&path);
    assert!(
        error.contains("add a column 'Cloud' with aws or gcp"),
        "{error}"
    );
}

#[test]
fn without_any_the_built_in_table_is_used() {
    let home = tempfile::tempdir().expect("a directory");
    for home in [Some(home.path()), None] {
        let catalogue = Catalogue::find(None, home).expect("prices");
        assert_eq!(catalogue.source, Source::BuiltIn);
        assert_eq!(catalogue.offers.len(), 5);
    }
    let source = Source::BuiltIn.to_string();
    assert!(source.contains("from the 2048-ga work"), "{source}");
}

#[test]
fn errors_are_reported_with_their_line() {
    let good = "c5.large,,,2.0,4.0,,0.085,0.03,us-east-1,us-east-1a,x86_64";
    check_refused("", "line 1: column 'InstanceType' is missing");
    check_refused(
        "InstanceType,vCPUs,Price,Region\n",
        "column 'SpotPrice' is missing; a price table has InstanceType, vCPUs, Price, SpotPrice, Region",
    );
    check_refused(&format!("{HEAD}\n"), "offers no suitable machine");
    check_refused(
        &format!("{HEAD}\n{good}\nc5.xlarge,,,many,8,,0.1,0.1,r,z,\n"),
        "line 3: vCPUs is 'many'; expected a number from 0 to 4096, or nothing",
    );
    for price in ["-1", "NaN", "inf", "1e9", "$1"] {
        check_refused(
            &format!("{HEAD}\nc5.xlarge,,,4,8,,{price},0.1,r,z,\n"),
            &format!("line 2: Price is '{price}'"),
        );
        check_refused(
            &format!("{HEAD}\nc5.xlarge,,,4,8,,0.1,{price},r,z,\n"),
            &format!("line 2: SpotPrice is '{price}'"),
        );
    }
    check_refused(
        &format!("{HEAD}\n{good}\n{good}\nc5.xlarge,4\n"),
        "line 4: not a row of the table: it has 2 columns where the first line has 11",
    );
}

#[test]
fn an_unreadable_table_is_reported() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("prices.csv");
    let error = message(&path);
    assert!(error.contains("cannot read prices from"), "{error}");
    let mut bytes = format!("Cloud,{HEAD}\n").into_bytes();
    bytes.extend(b"aws,c5.\xff,,,2,4,,0.1,0.1,r,z,\n");
    fs::write(&path, bytes).expect("a table");
    let error = message(&path);
    assert!(
        error.contains("line 2: not a row of the table: it is not UTF-8"),
        "{error}"
    );
}
