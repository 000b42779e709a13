import AtRestCrypto
import AtRestEnvelopes
import AtRestKeychain
import AtRestSimulation
import Foundation
import Testing

@Suite struct EnvelopeTests {
  private let device: SimulatedDevice
  private let keychain: Keychain
  private let keys: KeyEncryptionKeys
  private let context = Data("document 7".utf8)
  private let secret = SecretBox(SecretBytes(utf8: "what is in the document"))

  init() throws {
    device = try SimulatedDevice(passcode: "1234")
    keychain = try device.keychain()
    keys = KeyEncryptionKeys(keychain, name: "documents")
  }

  private func code(_ body: () throws -> Void) -> AtRestError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? AtRestError)?.code
    }
  }

  private func open(_ envelope: Envelope) throws -> SecretBox {
    SecretBox(try keys.open(envelope, context: context))
  }

  private func sealed(to recipients: [PublicKey] = []) throws -> Envelope {
    try keys.seal(secret.bytes, context: context, to: recipients)
  }

  // MARK: Sealing

  @Test func whatIsSealedOpens() throws {
    let envelope = try sealed()
    #expect(isSame(try open(envelope), secret))
    #expect(isSame(try open(Envelope(decoding: envelope.encoded)), secret))
    #expect(envelope.sealedData.range(of: Data("document".utf8)) == nil)
  }

  @Test func thePartsMayLieApart() throws {
    let envelope = try sealed()
    let wrapped = envelope.wrappedKey
    let data = envelope.sealedData
    #expect(isSame(try open(Envelope(wrappedKey: wrapped, sealedData: data)), secret))
    // The parts must also belong together.
    let other = try sealed()
    #expect(
      code { _ = try open(Envelope(wrappedKey: other.wrappedKey, sealedData: data)) } == .damaged)
  }

  @Test func anotherContextDoesNotOpen() throws {
    let envelope = try sealed()
    let other = Data("document 8".utf8)
    #expect(code { _ = try keys.open(envelope, context: other) } == .damaged)
  }

  @Test func everyFlippedByteIsRefused() throws {
    let recipient = try PrivateKey.generate(.x25519)
    let bytes = try sealed(to: [recipient.publicKey]).encoded
    for offset in bytes.indices {
      var changed = bytes
      changed[offset] ^= 1
      #expect(
        code { _ = try open(Envelope(decoding: changed)) } != nil, "offset \(offset)")
    }
    // Control: the unchanged envelope opens.
    #expect(code { _ = try open(Envelope(decoding: bytes)) } == nil)
  }

  @Test func whatIsCutOrLongerIsRefused() throws {
    let envelope = try sealed()
    for (wrapped, data) in [
      (envelope.wrappedKey.dropLast(), envelope.sealedData),
      (envelope.wrappedKey + [0], envelope.sealedData),
      (envelope.wrappedKey, envelope.sealedData.dropLast()),
      (envelope.wrappedKey, envelope.sealedData + [0]),
      (Data(), envelope.sealedData), (envelope.wrappedKey, Data()),
    ] {
      let changed = Envelope(wrappedKey: Data(wrapped), sealedData: Data(data))
      #expect(code { _ = try open(changed) } == .damaged)
    }
    #expect(code { _ = try Envelope(decoding: Data([0xFF, 0xFF, 0xFF, 0xFF])) } == .damaged)
  }

  @Test func aLaterVersionIsNamedSo() throws {
    let envelope = try sealed()
    var wrapped = envelope.wrappedKey
    wrapped[9] = 2
    let later = Envelope(wrappedKey: wrapped, sealedData: envelope.sealedData)
    #expect(code { _ = try open(later) } == .unsupportedVersion)
  }

  @Test func aLockedKeychainNeitherSealsNorOpens() throws {
    let envelope = try sealed()
    device.lock()
    #expect(code { _ = try open(envelope) } == .locked)
    #expect(code { _ = try sealed() } == .locked)
    try device.unlock()
    #expect(isSame(try open(envelope), secret))
  }

  @Test func anotherNameHasOtherKeys() throws {
    let envelope = try sealed()
    let others = KeyEncryptionKeys(keychain, name: "pictures")
    #expect(code { _ = try others.open(envelope, context: context) } == .notFound)
    _ = try others.rotate()
    #expect(code { _ = try others.open(envelope, context: context) } == .notFound)
  }

  @Test func openingMakesNoKeys() throws {
    let envelope = try sealed()
    let other = try SimulatedDevice(passcode: "1234").keychain()
    let elsewhere = KeyEncryptionKeys(other, name: "documents")
    #expect(code { _ = try elsewhere.open(envelope, context: context) } == .notFound)
    #expect(try other.count() == 0)
    #expect(try elsewhere.identifiers() == [])
  }

  // MARK: Rotation

  @Test func olderKeysOpenUntilTheyAreRetired() throws {
    let envelope = try sealed()
    let old = try #require(try keys.identifiers().last)
    let new = try keys.rotate()
    #expect(try keys.identifiers() == [old, new])
    #expect(try sealed().readers() == [.keyEncryptionKey(new)])
    #expect(isSame(try open(envelope), secret))
    try keys.retire(old)
    #expect(try keys.identifiers() == [new])
    #expect(code { _ = try open(envelope) } == .notFound)
  }

  @Test func rewrappingTouchesNoData() throws {
    let envelope = try sealed()
    let old = try #require(try keys.identifiers().last)
    let new = try keys.rotate()
    let rewrapped = try keys.rewrap(envelope)
    #expect(rewrapped.sealedData == envelope.sealedData)
    #expect(try rewrapped.readers() == [.keyEncryptionKey(new)])
    #expect(try keys.rewrap(wrappedKey: envelope.wrappedKey) == rewrapped.wrappedKey)
    try keys.retire(old)
    #expect(isSame(try open(rewrapped), secret))
    #expect(code { _ = try open(envelope) } == .notFound)
  }

  @Test func aChangedWrappedKeyIsNotRewrapped() throws {
    let recipient = try PrivateKey.generate(.x25519).publicKey
    let other = try PrivateKey.generate(.x25519).publicKey
    var wrapped = try sealed(to: [recipient]).wrappedKey
    // A slot for another recipient is not accepted.
    let theirs = try sealed(to: [other]).wrappedKey
    wrapped.replaceSubrange(80..<wrapped.count - 32, with: theirs[80..<theirs.count - 32])
    #expect(code { _ = try keys.rewrap(wrappedKey: wrapped) } == .damaged)
  }

  @Test func theCurrentKeyIsNotRetired() throws {
    let current = try keys.rotate()
    #expect(code { try keys.retire(current) } == .invalidArgument)
    #expect(code { try keys.retire(Data(count: 8)) } == .notFound)
    _ = try keys.rotate()
    let last = try keys.rotate()
    try keys.retireOlder()
    #expect(try keys.identifiers() == [last])
  }

  // MARK: Recipients

  @Test(arguments: [KeyAlgorithm.x25519, .p256, .rsa2048])
  func aRecipientOpensWithItsPrivateKeyAlone(_ algorithm: KeyAlgorithm) throws {
    let key = try PrivateKey.generate(algorithm)
    let stranger = try PrivateKey.generate(algorithm)
    let envelope = try sealed(to: [key.publicKey])
    #expect(isSame(SecretBox(try envelope.open(context: context, with: key)), secret))
    #expect(isSame(try open(envelope), secret))
    var refusal: AtRestError.Code?
    do { _ = try envelope.open(context: context, with: stranger).count } catch {
      refusal = (error as? AtRestError)?.code
    }
    #expect(refusal == .notPermitted)
    do { _ = try envelope.open(context: Data(), with: key).count } catch {
      refusal = (error as? AtRestError)?.code
    }
    #expect(refusal == .damaged)
  }

  @Test func severalRecipientsOpenEachForItself() throws {
    let one = try PrivateKey.generate(.x25519)
    let two = try PrivateKey.generate(.p256)
    let envelope = try sealed(to: [one.publicKey, two.publicKey])
    #expect(try envelope.readers().count == 3)
    #expect(isSame(SecretBox(try envelope.open(context: context, with: one)), secret))
    #expect(isSame(SecretBox(try envelope.open(context: context, with: two)), secret))
  }

  @Test(arguments: [KeyAlgorithm.x25519, .p256, .rsa2048])
  func aRecipientsKeyMayStayInAKeychain(_ algorithm: KeyAlgorithm) throws {
    let theirs = try SimulatedDevice(passcode: "1").keychain()
    let publicKey = try theirs.createKey(algorithm, tag: "reader")
    let envelope = try sealed(to: [publicKey])
    let opened = try envelope.open(context: context, tag: "reader", of: theirs)
    #expect(isSame(SecretBox(opened), secret))
  }

  @Test func rewrappingKeepsRecipientsOrReplacesThem() throws {
    let one = try PrivateKey.generate(.x25519)
    let two = try PrivateKey.generate(.x25519)
    let envelope = try sealed(to: [one.publicKey])
    _ = try keys.rotate()
    let kept = try keys.rewrap(envelope)
    #expect(isSame(SecretBox(try kept.open(context: context, with: one)), secret))
    let replaced = try keys.rewrap(envelope, to: [two.publicKey])
    #expect(isSame(SecretBox(try replaced.open(context: context, with: two)), secret))
    #expect(throws: AtRestError.self) {
      _ = try replaced.open(context: context, with: one).count
    }
  }

  @Test(arguments: [KeyAlgorithm.ed25519, .p384])
  func otherKeysAreNoRecipients(_ algorithm: KeyAlgorithm) throws {
    let key = try PrivateKey.generate(algorithm).publicKey
    #expect(code { _ = try sealed(to: [key]) } == .invalidArgument)
  }

  @Test func tooManyRecipientsAreRefused() throws {
    let key = try PrivateKey.generate(.x25519).publicKey
    let many = [PublicKey](repeating: key, count: 64)
    #expect(code { _ = try sealed(to: many) } == .invalidArgument)
    #expect(code { _ = try sealed(to: Array(many.dropLast())) } == nil)
  }

  @Test func aClosureInTheBackgroundReturnsASecret() async throws {
    let opened = SecretBox(
      try await keys.background { [context] keys in
        let envelope = try keys.seal(Data("async".utf8), context: context)
        let old = try #require(try keys.identifiers().last)
        try keys.rotate()
        let rewrapped = try keys.rewrap(envelope)
        try keys.retire(old)
        return try keys.open(rewrapped, context: context)
      })
    #expect(isSame(opened, SecretBox(SecretBytes(utf8: "async"))))
  }
}

/// Returns true if both hold the same bytes. Macros accept no noncopyable arguments.
private func isSame(_ a: SecretBox, _ b: SecretBox) -> Bool { a.bytes.isEqual(to: b.bytes) }
