import AtRestCrypto
import Foundation

/// A constraint of `ssh-add -h`: from one host, or from this machine, to another
/// (`restrict-destination-v00@openssh.com`).
struct SSHDestination: Equatable {
  /// One end of the way.
  struct Hop: Equatable {
    /// A pattern for the name of the user, or nil for any.
    let user: String?
    let host: String?
    /// The host's keys, in the form of SSH. Keys that certify hosts are left out, so a host that has
    /// only a certificate is not permitted.
    let keys: [Data]
  }

  private static let most = 1024

  let from: Hop
  let to: Hop

  /// Reads the contents of the extension.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` for another form, and for extensions that are not known.
  static func all(in bytes: UnsafeRawBufferPointer) throws -> [SSHDestination] {
    var reader = SSHReader(bytes)
    var all: [SSHDestination] = []
    while !reader.isAtEnd {
      guard all.count < most else { throw SSHReader.malformed }
      var inner = SSHReader(try reader.string())
      let (from, to) = (try hop(try inner.string()), try hop(try inner.string()))
      let isReserved = try inner.string().isEmpty
      try inner.finish()
      guard isReserved, from.hop.user == nil, (from.hop.host == nil) == !from.hasKeys,
        to.hop.host != nil, to.hasKeys
      else { throw SSHReader.malformed }
      all.append(SSHDestination(from: from.hop, to: to.hop))
    }
    // No constraint at all would not constrain the key.
    guard !all.isEmpty else { throw SSHReader.malformed }
    return all
  }

  private static func hop(
    _ bytes: UnsafeRawBufferPointer
  ) throws -> (hop: Hop, hasKeys: Bool) {
    var reader = SSHReader(bytes)
    let (user, host) = (try reader.text(), try reader.text())
    guard try reader.string().isEmpty else { throw SSHReader.malformed }
    var keys: [Data] = []
    var hasKeys = false
    while !reader.isAtEnd {
      let key = Data(try reader.string())
      hasKeys = true
      if try reader.byte() == 0 { keys.append(key) }
    }
    let hop = Hop(
      user: user.isEmpty ? nil : user, host: host.isEmpty ? nil : host, keys: keys)
    return (hop, hasKeys)
  }

  /// Returns true if this permits a way.
  ///
  /// - Parameters:
  ///   - origin: The key of the host from which the way leads, or nil for this machine.
  ///   - host: The key of the host to which it leads, or nil for any.
  ///   - name: The name of the user there, or nil for any.
  func permits(from origin: Data?, to host: Data?, user name: String?) -> Bool {
    if let origin {
      guard from.keys.contains(origin) else { return false }
    } else {
      guard from.host == nil else { return false }
    }
    if let host, !to.keys.contains(host) { return false }
    if let pattern = to.user, let name { return Self.matches(name, pattern) }
    return true
  }

  /// Returns true if a pattern with `*` and `?` fits a name.
  static func matches(_ name: String, _ pattern: String) -> Bool {
    // A row for each prefix of the pattern: the prefixes of the name that fit it.
    let name = Array(name.utf8)
    var fits = [true] + Array(repeating: false, count: name.count)
    for part in pattern.utf8 {
      var next = Array(repeating: false, count: name.count + 1)
      for index in 0...name.count {
        switch part {
        case UInt8(ascii: "*"): next[index] = fits[index] || index > 0 && next[index - 1]
        case UInt8(ascii: "?"): next[index] = index > 0 && fits[index - 1]
        default: next[index] = index > 0 && fits[index - 1] && name[index - 1] == part
        }
      }
      fits = next
    }
    return fits[name.count]
  }
}
