import AtRest
import Foundation
import Testing

/// The first sample of the README. Between the marks is what pages show.
@Suite struct VaultSamples {
  @Test func storeAValue() throws {
    try withSampleDevice { folder in
      // sample: store a value
      let vault = try Vault.open(in: folder)
      let eva = try vault.logIn("eva")
      let note = VaultRecord<String>("note", .document)
      try eva.store("Meet at the old mill", in: note)
      print(try eva.value(in: note))
      let decision = try vault.explain(note)
      print(decision.store, decision.key, decision.accessibility.name)
      // sample: end
      #expect(try eva.value(in: note) == "Meet at the old mill")
      #expect(
        "\(decision.store) \(decision.key) \(decision.accessibility.name)"
          == "keychain device when-unlocked-this-device-only")
    }
  }
}
