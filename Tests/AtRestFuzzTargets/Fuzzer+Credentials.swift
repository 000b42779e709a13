import AtRestCredentials
import AtRestCrypto
import Foundation

extension Fuzzer {
  /// Reads what other programs give the command's credential helpers, and writes their answers.
  func readCredential(_ input: consuming FuzzInput) throws {
    let kind = input.integer(UInt8.self) % 4
    let bytes = Data(input.rest)
    let text = String(decoding: bytes, as: UTF8.self)
    try isAccepted {
      switch kind {
      case 0:
        let credential = try GitCredential(SecretBytes(bytes))
        _ = (credential.networkProtocol, credential.port, credential.path, credential.expiry)
        try expect(
          (credential.values["host"] ?? "").hasPrefix(credential.server), "A host is not its own.")
      case 1:
        // The answers to docker, aws and kubectl are JSON with the secret in it.
        let quoted = try JSONText.quoted(SecretBytes(bytes))
        let array = Data("[".utf8) + Data(copying: quoted) + Data("]".utf8)
        let again = try? JSONDecoder().decode([String].self, from: array)
        try expect(again?.first.map { Data($0.utf8) } == bytes, "JSON does not read back.")
      case 2:
        guard AskpassPrompt(text) != nil else { throw AtRestError.invalid("", remedy: "") }
      default:
        guard let reference = try SecretReference(SecretReference.scheme + text) else { return }
        try expect(!reference.service.isEmpty && !reference.account.isEmpty, "An empty part.")
      }
    }
  }

  func credentialSeeds() -> [Data] {
    let git = "protocol=https\nhost=[::1]:8080\npath=a\nusername=eva\npassword=p\n"
    let inputs: [(UInt8, String)] = [
      (0, git + "password_expiry_utc=1\n\nrest"), (1, "a\"\\\n\u{1}é"),
      (2, "Enter passphrase for key '/home/eva/.ssh/id_ed25519': "),
      (2, "Password for 'https://eva%40x@git.example.org/a': "), (2, "eva@host's password: "),
      (3, "service/a%2Fb?group=g"),
    ]
    return inputs.map { Data([$0]) + Data($1.utf8) }
  }
}
