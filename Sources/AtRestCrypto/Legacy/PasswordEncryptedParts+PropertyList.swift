import Foundation

extension PasswordEncryptedParts {
  /// The two forms of a property list.
  public enum PropertyListFormat: Sendable {
    case binary, xml
  }

  private enum Key: String, CaseIterable {
    case encryptedData = "EncryptionData"
    case initializationVector = "EncryptionIV"
    case salt = "EncryptionSalt"
  }

  // Base64 takes 4 bytes for 3, line ends and indents some more.
  private static let maximumPropertyListCount = maximumCount * 3 / 2

  /// Returns true if bytes begin as a property list does, XML or binary.
  ///
  /// Says no more: ``init(propertyList:)`` says whether it is one of this format, and what is wrong
  /// with it otherwise. The first 64 bytes suffice.
  public static func isPropertyList(_ head: Data) -> Bool {
    PropertyListData.isBinary(head) || PropertyListData.isXML(head)
  }

  /// Reads a property list, XML (UTF-8) or binary, that has the three parts as data.
  ///
  /// Other keys are passed over.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if it is not a property list, not a dictionary, or a
  ///   part is missing, no data, or of another size; ``AtRestError/Code/invalidArgument`` if it is
  ///   longer than ``maximumCount`` allows.
  public init(propertyList: Data) throws {
    guard propertyList.count <= Self.maximumPropertyListCount else {
      throw AtRestError.invalid(
        "A property list of \(propertyList.count) bytes is not read.",
        remedy: "At most \(Self.maximumPropertyListCount) bytes are.")
    }
    let values = try PropertyListData.values(in: propertyList, of: Key.allCases.map(\.rawValue))
    func value(_ key: Key) throws -> Data {
      guard let value = values[key.rawValue] else {
        throw AtRestError.damaged("The property list has no data under \(key.rawValue).")
      }
      return value
    }
    try self.init(
      encryptedData: value(.encryptedData),
      initializationVector: value(.initializationVector), salt: value(.salt))
  }

  /// The three parts as one property list.
  ///
  /// - Throws: ``AtRestError/Code/system`` if Foundation cannot write it.
  public func propertyList(format: PropertyListFormat = .binary) throws -> Data {
    let dictionary = [
      Key.encryptedData.rawValue: encryptedData,
      Key.initializationVector.rawValue: initializationVector,
      Key.salt.rawValue: salt,
    ]
    do {
      return try PropertyListSerialization.data(
        fromPropertyList: dictionary, format: format == .xml ? .xml : .binary, options: 0)
    } catch {
      throw AtRestError(
        .system, "The property list could not be written.",
        remedy: "Check that the machine has the memory for it.", cause: error)
    }
  }
}
