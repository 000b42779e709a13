import AtRestCrypto
import Foundation
import Testing

@testable import AtRestAgent

/// The bytes of destinations (`restrict-destination-v00@openssh.com`).
struct SSHDestinationTests {
  private func hop(_ user: String, _ host: String, _ keys: [(String, UInt8)]) -> Data {
    var writer = SSHWriter()
    for text in [user, host, ""] { writer.string(text) }
    for (key, isAuthority) in keys {
      writer.string(key)
      writer.byte(isAuthority)
    }
    return writer.data
  }

  private func way(_ from: Data, _ to: Data, reserved: String = "") -> Data {
    var inner = SSHWriter()
    inner.string(from)
    inner.string(to)
    inner.string(reserved)
    var writer = SSHWriter()
    writer.string(inner.data)
    return writer.data
  }

  private func read(_ bytes: Data) throws -> [SSHDestination] {
    try bytes.withUnsafeBytes { try SSHDestination.all(in: $0) }
  }

  @Test func destinationsAreRead() throws {
    let here = hop("", "", [])
    let host = hop("eva", "host", [("key", 0), ("authority", 1)])
    let other = hop("", "other", [("second", 0)])
    let all = try read(way(here, host) + way(host.withoutUser, other))
    #expect(all.count == 2)
    let (key, second) = (Data("key".utf8), Data("second".utf8))
    #expect(all[0].permits(from: nil, to: key, user: "eva"))
    #expect(!all[0].permits(from: nil, to: key, user: "root"))
    #expect(!all[0].permits(from: nil, to: second, user: "eva"))
    #expect(!all[0].permits(from: key, to: key, user: "eva"))
    // A key that certifies hosts is not the key of a host.
    #expect(!all[0].permits(from: nil, to: Data("authority".utf8), user: "eva"))
    #expect(all[1].permits(from: key, to: second, user: "anybody"))
    #expect(!all[1].permits(from: nil, to: second, user: "anybody"))
  }

  /// A constraint that cannot be kept is refused, not ignored.
  @Test func otherFormsAreRefused() throws {
    let here = hop("", "", [])
    let host = hop("", "host", [("key", 0)])
    #expect(try read(way(here, host)).count == 1)
    for other in [
      Data(), way(here, host, reserved: "x"), way(here, here), way(here, hop("", "host", [])),
      way(hop("eva", "host", [("key", 0)]), host), way(hop("", "", [("key", 0)]), host),
      way(hop("", "host", []), host), way(here, host).dropLast(),
    ] {
      #expect(throws: AtRestError.self) { try read(Data(other)) }
    }
  }

  @Test func patternsFit() {
    for (name, pattern) in [
      ("eva", "eva"), ("eva", "*"), ("", "*"), ("eva", "e?a"), ("eva", "e*a*"), ("eva", "**a"),
    ] {
      #expect(SSHDestination.matches(name, pattern), "\(pattern)")
    }
    for (name, pattern) in [("eva", "ev"), ("eva", "?"), ("eva", ""), ("eva", "*b*"), ("", "?")] {
      #expect(!SSHDestination.matches(name, pattern), "\(pattern)")
    }
  }
}

extension Data {
  /// A hop without its user, who must not be named at the beginning of a way.
  fileprivate var withoutUser: Data { Data([0, 0, 0, 0]) + dropFirst(4 + Int(self[3])) }
}
