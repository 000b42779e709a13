import AtRestCrypto
@_spi(Tools) import AtRestKeychain

/// Credentials of systemd's services.
extension AgentService {
  /// The access group of the credentials.
  static let credentialGroup = "systemd"

  /// Returns a credential: the item of the group `systemd` with the unit as service and the credential as
  /// account.
  ///
  /// - Parameters:
  ///   - request: The request; nil if the connection made no request.
  ///   - peer: The process at the other end. Its program does not matter.
  ///   - manager: The user whose service manager may ask: root for the system's.
  /// - Throws: ``AtRestError/Code/notPermitted`` if another process asks; otherwise the errors of
  ///   reading an item.
  func credential(
    _ request: CredentialRequest?, from peer: Peer, manager: UInt32
  ) throws -> FrameAnswer {
    let locks = locks
    let subject = request.map { "\($0.unit) \($0.credential)" } ?? ""
    return try recording("credential", subject, peer) {
      guard peer.user == manager, let request else {
        throw AtRestError(
          .notPermitted, "This is not a request of the service manager.",
          remedy: "Use LoadCredential= in the unit of a service.")
      }
      touch()
      let key = PrimaryKey.genericPassword(
        service: request.unit, account: request.credential, group: Self.credentialGroup)
      let secret = try keychain(for: ApplicationIdentity(Self.credentialGroup)).secret(
        for: key, context: AuthenticationContext(interaction: .forbidden))
      try checkNoLock(since: locks)
      return FrameAnswer(bytes: AgentSecret(secret), locks: locks)
    }
  }
}
