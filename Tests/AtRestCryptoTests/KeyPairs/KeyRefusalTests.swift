import AtRestCrypto
import Foundation
import Testing

/// Invalid keys are refused with `.invalidArgument` and a reason.
@Suite struct KeyRefusalTests {
  private func refusal(
    of body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
  ) -> String {
    let error = #expect(throws: AtRestError.self, sourceLocation: sourceLocation) { try body() }
    #expect(error?.code == .invalidArgument, sourceLocation: sourceLocation)
    return error?.description ?? ""
  }

  @Test(arguments: [
    ("refused-encrypted", "encrypted"), ("refused-traditional-encrypted", "encrypted"),
    ("refused-explicit-curve", "curve is not given by name"),
    ("refused-secp256k1", "curve is not P-256"), ("refused-rsa1024", "2,048 bits or more"),
    ("p256-public", "public key"),
  ])
  func saysWhyAKeyIsRefused(name: String, reason: String) {
    let text = refusal { _ = try Fixture.privateKey(name) }
    #expect(text.contains(reason), "\(text)")
  }

  @Test func refusesPrivateKeysAsPublicOnes() {
    #expect(refusal { _ = try Fixture.publicKey("p256-pkcs8") }.contains("private key"))
  }

  @Test(arguments: [
    "p256-pkcs8", "p384-sec1", "p521-pkcs8", "ed25519-pkcs8", "x25519-pkcs8",
  ])
  func refusesDERCutOffOrExtended(name: String) throws {
    let der = try Fixture.der(name)
    _ = try PrivateKey(importing: SecretBytes(der))
    for other in (0..<der.count).map({ der.prefix($0) }) + [der + [0], der + der] {
      _ = refusal { _ = try PrivateKey(importing: SecretBytes(other)) }
    }
  }

  @Test func refusesPublicDERCutOffOrExtended() throws {
    for name in ["p256-public", "ed25519-public", "rsa2048-public"] {
      let der = try Fixture.der(name)
      for other in (0..<der.count).map({ der.prefix($0) }) + [der + [0]] {
        _ = refusal { _ = try PublicKey(importing: other) }
      }
    }
  }

  // The enclosed public key reveals changes of the scalar.
  @Test func refusesDERWithAnyChangedByte() throws {
    for name in ["p256-pkcs8", "p256-sec1"] {
      let der = try Fixture.der(name)
      for index in der.indices {
        var changed = der
        changed[index] ^= 0x01
        _ = refusal { _ = try PrivateKey(importing: SecretBytes(changed)) }
      }
    }
  }

  // RFC 5958, as ring and Java write it: version 1, and the public key as [1].
  @Test func checksThePublicKeyThatPKCS8Encloses() throws {
    let key = try Fixture.privateKey("ed25519-pkcs8")
    let other = try PrivateKey.generate(.ed25519).publicKey
    func enclosing(_ publicKey: PublicKey, version: String = "01") throws -> SecretBytes {
      try SecretBytes(
        Data(hex: "30510201\(version)300506032b657004220420") + key.storage.revealed
          + Data(hex: "812100") + publicKey.rawRepresentation())
    }
    #expect(try PrivateKey(importing: enclosing(key.publicKey)).publicKey == key.publicKey)
    _ = refusal { _ = try PrivateKey(importing: enclosing(other)) }
    _ = refusal { _ = try PrivateKey(importing: enclosing(key.publicKey, version: "00")) }
  }

  @Test func refusesRSAWithChangedNumbers() throws {
    let der = try Fixture.der("rsa2048-pkcs1")
    // A byte of the modulus, of the private exponent, and of a prime.
    for index in [100, 400, 700] {
      var changed = der
      changed[index] ^= 0x01
      _ = refusal { _ = try PrivateKey(importing: SecretBytes(changed)) }
    }
    _ = refusal { _ = try PrivateKey(importing: SecretBytes(der.dropLast())) }
  }

  @Test func refusesDamagedPEM() throws {
    let pem = try Fixture.text("p256-pkcs8.pem")
    let body = try #require(pem.split(separator: "\n").dropFirst().first)
    for text in [
      "", "no PEM", pem.replacing("-----END", with: "-----FIN"),
      pem.replacing("BEGIN PRIVATE KEY", with: "BEGIN EC PRIVATE KEY"),
      pem.replacing("PRIVATE KEY", with: "EC PRIVATE KEY"),
      pem.replacing("PRIVATE KEY", with: "RSA PRIVATE KEY"),
      pem.replacing("PRIVATE KEY", with: "SECRET KEY"),
      pem.replacing(body, with: body.dropLast()), pem.replacing(body, with: body.dropLast(4)),
      pem.replacing(body, with: "\(body)AAAA"), pem.replacing(body, with: "*" + body.dropFirst()),
      pem.replacing(body, with: body.dropFirst(4) + "===="),
      "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n", "-----BEGIN ",
      "-----BEGIN PRIVATE KEY-----",
    ] {
      _ = refusal { _ = try PrivateKey(importing: SecretBytes(utf8: text)) }
    }
  }

  // The same 32 bytes are keys of several algorithms. Formats that name their algorithm are not
  // mixed up.
  @Test func refusesKeysOfAnotherAlgorithm() throws {
    let p256 = try Fixture.privateKey("p256-pkcs8")
    let ed25519 = try Fixture.privateKey("ed25519-pkcs8")
    // A public P-256 key has 65 bytes, not 32, and is not an Ed25519 key.
    _ = refusal {
      _ = try PublicKey(rawRepresentation: p256.publicKey.rawRepresentation(), algorithm: .ed25519)
    }
    _ = refusal { _ = try PrivateKey(storage: p256.derRepresentation, algorithm: .ed25519) }
    _ = refusal { _ = try PrivateKey(storage: ed25519.derRepresentation, algorithm: .p256) }
    _ = refusal {
      _ = try PrivateKey(rawRepresentation: p256.rawRepresentation(), algorithm: .p384)
    }
    let rsa = try Fixture.privateKey("rsa2048-pkcs8")
    _ = refusal { _ = try PrivateKey(storage: rsa.storage.duplicate(), algorithm: .rsa3072) }
    // A P-256 PKCS#8 key whose algorithm is Ed25519.
    var der = Data(hex: "302e020100300506032b657004220420")
    der.append(p256.storage.revealed)
    #expect(try PrivateKey(importing: SecretBytes(der)).publicKey != p256.publicKey)
    #expect(try PrivateKey(importing: SecretBytes(der)).algorithm == .ed25519)
    _ = refusal { _ = try ed25519.signature(for: Data(), scheme: .ecdsaSHA256) }
  }

  @Test(arguments: KeyAlgorithm.nistCurves)
  func refusesScalarsOutOfRange(algorithm: KeyAlgorithm) throws {
    let count = (algorithm.keySizeInBits + 7) / 8
    for scalar in [Data(count: count), Data(repeating: 0xFF, count: count)] {
      _ = refusal {
        _ = try PrivateKey(rawRepresentation: SecretBytes(scalar), algorithm: algorithm)
      }
    }
    // Control: the smallest scalar is a key.
    var one = Data(count: count)
    one[count - 1] = 1
    _ = try PrivateKey(rawRepresentation: SecretBytes(one), algorithm: algorithm)
  }

  @Test(arguments: KeyAlgorithm.nistCurves)
  func refusesPointsOffTheCurve(algorithm: KeyAlgorithm) throws {
    let key = try algorithm.fixture()
    var point = try key.publicKey.x963Representation()
    point[point.count - 1] ^= 1
    _ = refusal { _ = try PublicKey(x963Representation: point) }
    _ = refusal {
      _ = try PublicKey(rawRepresentation: Data(point.dropFirst()), algorithm: algorithm)
    }
    _ = refusal { _ = try PublicKey(x963Representation: Data(count: point.count)) }
    _ = refusal { _ = try PublicKey(x963Representation: point.dropLast()) }
    _ = refusal { _ = try PrivateKey(x963Representation: SecretBytes(point)) }
  }

  @Test func refusesThePointOfAnotherScalar() throws {
    let key = try Fixture.privateKey("p256-pkcs8")
    let other = try PrivateKey.generate(.p256)
    let mixed = try other.publicKey.x963Representation() + key.storage.revealed
    let text = refusal { _ = try PrivateKey(x963Representation: SecretBytes(mixed)) }
    #expect(text.contains("another key"))
  }

  @Test(arguments: [0, 31, 33, 64])
  func refusesCurve25519OfOtherSizes(count: Int) {
    for algorithm in [KeyAlgorithm.ed25519, .x25519] {
      _ = refusal {
        _ = try PrivateKey(rawRepresentation: .random(count: count), algorithm: algorithm)
      }
      _ = refusal { _ = try PublicKey(rawRepresentation: Data(count: count), algorithm: algorithm) }
    }
  }
}
