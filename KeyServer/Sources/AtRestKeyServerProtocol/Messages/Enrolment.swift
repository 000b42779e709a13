import Foundation

/// The enrolment of a device: a one-time code and the device's public key. The request is signed
/// with that key.
package struct Enrolment: Message {
  package var code: String
  /// A P-256 public key in X9.63 form, 65 bytes.
  package var publicKey: Data
  package var label: String

  package init(code: String, publicKey: Data, label: String) {
    self.code = code
    self.publicKey = publicKey
    self.label = label
  }

  package init(decoding body: Data) throws {
    self = try MessageReader.read(body, name: "The enrolment") { reader in
      Enrolment(
        code: try reader.text(limit: Limits.code), publicKey: try reader.fixed(65),
        label: try reader.text(limit: Limits.label))
    }
  }

  package var encoded: Data {
    var writer = MessageWriter()
    writer.counted(utf8: code)
    writer.fixed(publicKey)
    writer.counted(utf8: label)
    return writer.data
  }

  /// The answer: the identity that the device has from now on.
  package struct Answer: Message {
    package var realm: Data
    package var device: Data
    package var account: String
    /// The public key of the account's evaluation key, which the client pins.
    package var publicKey: GroupElement

    package init(realm: Data, device: Data, account: String, publicKey: GroupElement) {
      self.realm = realm
      self.device = device
      self.account = account
      self.publicKey = publicKey
    }

    package init(decoding body: Data) throws {
      self = try MessageReader.read(body, name: "The answer to an enrolment") { reader in
        Answer(
          realm: try reader.fixed(Limits.identifier), device: try reader.fixed(Limits.identifier),
          account: try reader.text(limit: Limits.account),
          publicKey: try GroupElement(reading: &reader))
      }
    }

    package var encoded: Data {
      var writer = MessageWriter()
      writer.fixed(realm)
      writer.fixed(device)
      writer.counted(utf8: account)
      publicKey.write(to: &writer)
      return writer.data
    }
  }
}
