import AtRestCrypto
import AtRestKeychain
import CAtRestPeer
import Foundation

/// Credentials of systemd's services.
extension AgentService {
  /// The access group of the credentials.
  static let credentialGroup = "systemd"

  /// Returns the credential that the process at the other end of a socket requests: the item of the
  /// group `systemd` with the unit as service and the credential as account.
  ///
  /// - Parameter manager: The user whose service manager may ask: root for the system's.
  /// - Throws: ``AtRestError/Code/notPermitted`` if another process asks; otherwise the errors of
  ///   reading an item.
  func credential(over socket: Int32, manager: UInt32, digests: ProgramDigests) throws
    -> AgentSecret
  {
    let peer = try Peer(socket: socket, digests: digests)
    var name = [CChar](repeating: 0, count: 128)
    let count = atrest_get_peer_name(socket, &name, name.count)
    let text =
      count > 0
      ? String(validating: name[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    let request = text.flatMap(CredentialRequest.init)
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
      return AgentSecret(secret)
    }
  }
}
