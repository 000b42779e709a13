import AtRestCrypto
import Foundation

/// The way that a connection leads, as far as clients have bound it to hosts
/// (`session-bind@openssh.com`).
struct SSHRoute {
  private struct Hop {
    let session: Data
    let host: Data
    /// True if the host has signed the session.
    let isVerified: Bool
    let isForwarding: Bool
  }

  private static let most = 16

  private var hops: [Hop] = []
  private var hasFailed = false

  /// True if the connection was forwarded to another host.
  var isForwarded: Bool { hops.contains(where: \.isForwarding) }

  /// The hosts, as the log and questions name them. A host that has not proved its key is not named.
  var names: [String] {
    hops.map { $0.isVerified ? SSHPublicKey.fingerprint(of: $0.host) : "a host" }
  }

  /// Records the host to which a client has connected.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the host's signature is another's, or if the
  ///   connection leads elsewhere already.
  mutating func bind(
    host: Data, session: Data, signature: Data, isForwarding: Bool
  ) throws {
    hasFailed = true
    if let known = hops.first(where: { $0.session == session }) {
      guard known.host == host, hops.allSatisfy(\.isForwarding) else { throw SSHReader.malformed }
      hasFailed = false
      return
    }
    // After a connection was bound for a login, it cannot be bound again.
    guard hops.count < Self.most, hops.allSatisfy(\.isForwarding) else { throw SSHReader.malformed }
    // The signatures of other kinds of host keys cannot be checked.
    let isVerified = try host.withUnsafeBytes { blob in
      guard let key = try SSHPublicKey(blob: blob) else { return false }
      guard try signature.withUnsafeBytes({ try key.isValid($0, for: session) }) else {
        throw SSHReader.malformed
      }
      return true
    }
    hops.append(
      Hop(session: session, host: host, isVerified: isVerified, isForwarding: isForwarding))
    hasFailed = false
  }

  /// Returns true if the destinations of a key permit to show the key over this connection.
  func permitsListing(_ destinations: [SSHDestination]) -> Bool { permits(destinations, user: nil) }

  /// Returns true if the destinations of a key permit to sign a message.
  ///
  /// - Parameter key: The key, as the protocol names it.
  func permitsSigning(_ destinations: [SSHDestination], _ message: Data, key: Data) -> Bool {
    guard !destinations.isEmpty else { return true }
    guard let last = hops.last, let login = try? SSHLogin(message, key: key) else { return false }
    return permits(destinations, user: login.user) && login.session == last.session
      && (login.host == nil || login.host == last.host)
  }

  private func permits(_ destinations: [SSHDestination], user: String?) -> Bool {
    func isPermitted(from origin: Data?, to host: Data?, user: String?) -> Bool {
      destinations.contains { $0.permits(from: origin, to: host, user: user) }
    }
    guard !destinations.isEmpty else { return true }
    // A connection that was never bound is one of this machine, to look at the keys.
    guard let last = hops.last else { return !hasFailed }
    var origin: Data?
    for (index, hop) in hops.enumerated() {
      let isLast = index == hops.count - 1
      guard hop.isVerified, isLast ? !(hop.isForwarding && user != nil) : hop.isForwarding,
        isPermitted(from: origin, to: hop.host, user: isLast ? user : nil)
      else { return false }
      origin = hop.host
    }
    // At the end of a forwarding, only keys that lead further are shown.
    if last.isForwarding, user == nil {
      return isPermitted(from: last.host, to: nil, user: nil)
    }
    return true
  }
}
