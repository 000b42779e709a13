import AtRestCrypto
import Foundation

/// The way that a connection leads, as far as clients have bound it to hosts
/// (`session-bind@openssh.com`).
struct SSHRoute {
  private struct Hop {
    let session: Data
    let host: Data
    let isForwarding: Bool
  }

  private static let most = 16

  private var hops: [Hop] = []
  /// The host that could not prove its key, as the log names it.
  private var unproved: String?

  /// True if the connection was forwarded to another host, or may have been: the host to which a client
  /// has connected decides whether its key can be checked.
  var isForwarded: Bool { isUnproved || hops.contains(where: \.isForwarding) }

  /// True if a client tried to bind the connection to a host, and failed. Nothing is permitted then.
  var isUnproved: Bool { unproved != nil }

  /// The hosts, as the log and questions name them.
  var names: [String] {
    hops.map { SSHPublicKey.fingerprint(of: $0.host) } + [unproved].compactMap { $0 }
  }

  /// Records the host to which a client has connected.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the host has not signed the session with this key, or if
  ///   the connection leads elsewhere already.
  mutating func bind(
    host: Data, session: Data, signature: Data, isForwarding: Bool
  ) throws {
    do {
      try add(host: host, session: session, signature: signature, isForwarding: isForwarding)
    } catch {
      unproved = "a host that did not prove the key \(SSHPublicKey.fingerprint(of: host))"
      throw error
    }
  }

  private mutating func add(
    host: Data, session: Data, signature: Data, isForwarding: Bool
  ) throws {
    if let known = hops.first(where: { $0.session == session }) {
      guard known.host == host, hops.allSatisfy(\.isForwarding) else { throw SSHReader.malformed }
      return
    }
    // After a connection was bound for a login, it cannot be bound again.
    guard hops.count < Self.most, hops.allSatisfy(\.isForwarding),
      try SSHHostKey.has(host, signed: session, with: signature)
    else { throw SSHReader.malformed }
    hops.append(Hop(session: session, host: host, isForwarding: isForwarding))
  }

  /// Returns true if the destinations of a key permit to show the key over this connection.
  func permitsListing(_ destinations: [SSHDestination]) -> Bool { permits(destinations, user: nil) }

  /// Returns true if the destinations of a key permit to sign a message.
  ///
  /// - Parameter key: The key, as the protocol names it.
  func permitsSigning(_ destinations: [SSHDestination], _ message: Data, key: Data) -> Bool {
    guard !isUnproved else { return false }
    guard !destinations.isEmpty else { return true }
    guard let last = hops.last, let login = try? SSHLogin(message, key: key) else { return false }
    // A host can sign the session of another one. Only the first hop was bound by the user's own ssh, so after
    // it the message itself has to name the host, as for OpenSSH's agent.
    guard hops.count == 1 || login.host != nil else { return false }
    return permits(destinations, user: login.user) && login.session == last.session
      && (login.host == nil || login.host == last.host)
  }

  private func permits(_ destinations: [SSHDestination], user: String?) -> Bool {
    func isPermitted(from origin: Data?, to host: Data?, user: String?) -> Bool {
      destinations.contains { $0.permits(from: origin, to: host, user: user) }
    }
    guard !isUnproved else { return false }
    // A connection that was never bound is one of this machine, to look at the keys.
    guard !destinations.isEmpty, let last = hops.last else { return true }
    var origin: Data?
    for (index, hop) in hops.enumerated() {
      let isLast = index == hops.count - 1
      guard isLast ? !(hop.isForwarding && user != nil) : hop.isForwarding,
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
