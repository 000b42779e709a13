import AtRest
import Foundation
import Testing

/// The cause of an error says where a value does not fit, but contains nothing of the value.
@Suite struct WithheldCauseTests {
  private struct Readings: Codable, Sendable { var of: [String: Double] }
  private struct Words: Codable, Sendable { var of: [String: String] }

  private func text(_ error: (any Error)?) -> String {
    var dumped = "\(String(describing: error)) \(String(reflecting: error)) "
    if let error { dump(error, to: &dumped) }
    return dumped
  }

  @Test func whereItCannotBeEncoded() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    let value = Readings(of: ["eva@example.com": -.infinity])
    let error = #expect(throws: AtRestError.self) {
      try eva.store(value, in: VaultRecord("readings", .document))
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.cause != nil)
    for secret in ["eva@", "inf"] { #expect(!text(error).contains(secret)) }
  }

  @Test func whereItCannotBeDecoded() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store(Words(of: ["eva@example.com": "s3cr3t"]), in: VaultRecord("readings", .document))
    let error = #expect(throws: AtRestError.self) {
      _ = try eva.value(in: VaultRecord<Readings>("readings", .document))
    }
    #expect(error?.code == .invalidArgument)
    #expect(text(error).contains("of"))
    for secret in ["eva@", "s3cr3t"] { #expect(!text(error).contains(secret)) }
  }
}
