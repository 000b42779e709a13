import AtRestCrypto
import AtRestTPM
import Synchronization

/// The password of a TPM's owner hierarchy.
///
/// Most TPMs have none. If there is one, a new device key needs it, and so does opening one unless the
/// storage key is persistent in the TPM (0x81000001), as the provisioning of a system makes it.
package enum TPMOwner {
  /// The variable that names a file with the password. One final newline is removed.
  package static let variable = "ATREST_TPM_OWNER_PASSWORD_FILE"

  /// Sets the source of the password for this process, in place of the file that ``variable`` names. It
  /// is called when a TPM asks for the password, at most once, and returns nil if there is none.
  ///
  /// The password is never sent to the TPM. If the storage key is not persistent, whoever listens on the
  /// bus to the TPM can test guesses against what is sent.
  package static func setPassword(_ source: @escaping @Sendable () throws -> SecretBytes?) {
    let box = Answer(source)
    TPM.ownerPassword.withLock { $0 = { try box.get() } }
  }

  /// Calls a source once.
  private final class Answer: Sendable {
    private let known = Mutex<SecretBox?>(nil)
    private let source: @Sendable () throws -> SecretBytes?

    init(_ source: @escaping @Sendable () throws -> SecretBytes?) { self.source = source }

    func get() throws -> SecretBox? {
      if let known = known.withLock({ $0 }) { return known }
      guard let answer = try source() else { return nil }
      let box = SecretBox(answer)
      known.withLock { $0 = box }
      return box
    }
  }
}
