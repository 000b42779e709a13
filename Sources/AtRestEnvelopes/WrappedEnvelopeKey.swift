@_spi(Tools) import AtRestCrypto
import Foundation

/// The wrapped key of an envelope: `"AtRestEK"` ‖ version ‖ identity of the envelope ‖ slots ‖
/// authentication code.
struct WrappedEnvelopeKey {
  /// A random identity that ties the parts of an envelope together.
  let id: Data
  let slots: [EnvelopeSlot]
  private let code: Data

  static let maximumSlots = 64
  static let maximumCount = 27 + maximumSlots * (4 + EnvelopeSlot.maximumCount) + 32
  private static let magic = Data("AtRestEK".utf8)
  private static let version: UInt16 = 1

  /// - Throws: ``AtRestError/Code/invalidArgument`` if there are too many slots.
  init(id: Data, slots: [EnvelopeSlot], key: borrowing SecretBytes) throws {
    guard slots.count <= Self.maximumSlots else {
      throw AtRestError.invalid(
        "An envelope has at most \(Self.maximumSlots) key slots, not \(slots.count).",
        remedy: "Pass fewer recipients, or a key that several share.")
    }
    self.id = id
    self.slots = slots
    code = key.derive(.envelopeHeader).authenticationCode(for: Self.statement(id, slots))
  }

  private static func statement(_ id: Data, _ slots: [EnvelopeSlot]) -> Data {
    var writer = ByteWriter(capacity: 256)
    writer.fixed(magic)
    writer.integer(version)
    writer.fixed(id)
    writer.integer(UInt8(slots.count))
    for slot in slots { writer.counted(slot.encoded) }
    return writer.data
  }

  var encoded: Data { Self.statement(id, slots) + code }

  /// - Throws: ``AtRestError/Code/damaged``; ``AtRestError/Code/unsupportedVersion``.
  init(decoding bytes: Data) throws {
    (id, slots, code) = try bytes.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The envelope's wrapped key")
      guard try reader.fixed(8).elementsEqual(Self.magic) else {
        throw AtRestError.damaged("This is not the wrapped key of an envelope.")
      }
      let version = try reader.integer(UInt16.self)
      guard version == Self.version else {
        throw AtRestError.unsupported(
          "The envelope's wrapped key", version: version, known: Self.version)
      }
      let id = Data(try reader.fixed(16))
      let count = Int(try reader.integer(UInt8.self))
      guard count <= Self.maximumSlots else {
        throw AtRestError.damaged("The envelope claims \(count) key slots.")
      }
      var slots: [EnvelopeSlot] = []
      for _ in 0..<count {
        slots.append(
          try EnvelopeSlot(decoding: reader.counted(limit: EnvelopeSlot.maximumCount)))
      }
      let code = Data(try reader.fixed(32))
      try reader.finish()
      return (id, slots, code)
    }
  }

  /// Checks that the header was written by a holder of the key.
  ///
  /// - Throws: ``AtRestError/Code/damaged``.
  func check(_ key: borrowing SecretBytes) throws {
    let isValid = key.derive(.envelopeHeader)
      .isValid(authenticationCode: code, for: Self.statement(id, slots))
    guard isValid else {
      throw AtRestError.damaged("The envelope's wrapped key was modified.")
    }
  }

  func slot(for key: PublicKey) throws -> EnvelopeSlot {
    let wanted = Envelope.Reader.recipient(fingerprint: EnvelopeSlot.fingerprint(of: key))
    let found = slots.first { slot in
      guard slot.reader == wanted else { return false }
      return switch slot {
      case .agreement(let algorithm, _, _, _): algorithm == key.algorithm
      case .rsa: key.algorithm.canDecrypt
      case .keyEncryptionKey: false
      }
    }
    guard let found else {
      throw AtRestError(
        .notPermitted, "The envelope was not sealed to this \(key.algorithm.name) key.",
        remedy: "Use the private key of a recipient.")
    }
    return found
  }
}
