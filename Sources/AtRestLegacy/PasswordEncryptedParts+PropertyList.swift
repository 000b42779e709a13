import AtRestCrypto
import Foundation

extension PasswordEncryptedParts {
  /// The two encodings of a property list.
  public enum PropertyListFormat: Sendable {
    case binary, xml
  }

  private enum Key: String, CaseIterable {
    case encryptedData = "EncryptionData"
    case initializationVector = "EncryptionIV"
    case salt = "EncryptionSalt"
  }

  // Base64 takes 4 bytes for 3. Line ends and indentation add some more.
  private static let maximumPropertyListCount = maximumCount * 3 / 2

  /// Returns true if the bytes begin like a property list, XML or binary.
  ///
  /// The first 64 bytes suffice. The result does not show that the list contains the three parts:
  /// ``init(propertyList:)`` checks the parts and names what is wrong.
  public static func isPropertyList(_ head: Data) -> Bool {
    PropertyListData.isBinary(head) || PropertyListData.isXML(head)
  }

  /// Reads a property list, XML (UTF-8) or binary, that contains the three parts as data.
  ///
  /// Other keys are ignored.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the bytes are not a property list or not a
  ///   dictionary, or if a part is missing, is not data, or has the wrong size;
  ///   ``AtRestError/Code/invalidArgument`` if the list is longer than ``maximumCount`` allows.
  public init(propertyList: Data) throws {
    guard propertyList.count <= Self.maximumPropertyListCount else {
      throw AtRestError.invalid(
        "A property list of \(propertyList.count) bytes is too large to read.",
        remedy: "Provide a list of at most \(Self.maximumPropertyListCount) bytes.")
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

  /// Encodes the three parts as one property list.
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
        remedy: "Check that the machine has enough memory.", cause: error)
    }
  }
}
