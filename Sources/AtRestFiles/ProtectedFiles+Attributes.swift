import AtRestCrypto
import AtRestKeybag
import Foundation

/// `FileManager`'s calls, with the protection key honoured.
extension ProtectedFiles {
  /// Makes a file, in place of one that may be there.
  ///
  /// ```swift
  /// try files.createFile(
  ///   atPath: path, contents: data, attributes: [.protectionKey: FileProtectionType.complete])
  /// ```
  ///
  /// - Parameters:
  ///   - contents: Nil makes an empty file.
  ///   - attributes: `.protectionKey` (a `FileProtectionType` or its raw value) and
  ///     `.posixPermissions`. Others are refused, not forgotten.
  /// - Throws: ``AtRestError/Code/invalidArgument`` for other attributes or values; otherwise as
  ///   `write(_:to:options:protection:)`.
  public func createFile(
    atPath path: String, contents: Data? = nil, attributes: [FileAttributeKey: Any] = [:]
  ) throws {
    let (protection, permissions) = try Self.read(attributes)
    try write(
      contents ?? Data(),
      to: .file(
        URL(fileURLWithPath: path), replacing: true, permissions: permissions),
      protection: protection)
  }

  /// The attributes of a protected file: what `FileManager` has, `.size` of the contents, and
  /// `.protectionKey` as the header has it, where a store protects the file.
  ///
  /// Needs no key: see ``FileDescription``.
  ///
  /// - Throws: As ``FileDescription/init(of:)``.
  public func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] {
    let description = try FileDescription(of: URL(fileURLWithPath: path))
    var attributes = try FileManager.default.attributesOfItem(atPath: FolderEntry.resolved(path))
    attributes[.size] = NSNumber(value: description.size)
    // atrest:ignore linux-no-op-protection only tells it; AtRest has protected the file
    attributes[.protectionKey] = description.protection?.fileProtectionType
    return attributes
  }

  /// Changes the protection class and the permissions of a file.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` for other attributes or values; otherwise as
  ///   `setProtection(_:of:)`.
  public func setAttributes(
    _ attributes: [FileAttributeKey: Any], ofItemAtPath path: String
  ) throws {
    let (protection, permissions) = try Self.read(attributes)
    if let protection { try setProtection(protection, of: URL(fileURLWithPath: path)) }
    if let permissions {
      guard chmod(path, mode_t(permissions)) == 0 else {
        throw SystemCall.error("set the mode of", path)
      }
    }
  }

  private static func read(
    _ attributes: [FileAttributeKey: Any]
  ) throws -> (FileProtection?, UInt16?) {
    var protection: FileProtection?
    var permissions: UInt16?
    for (key, value) in attributes {
      switch key {
      case .protectionKey:
        protection = try FileProtection(attribute: value)
      case .posixPermissions:
        permissions = ((value as? NSNumber)?.intValue ?? value as? Int).flatMap {
          UInt16(exactly: $0)
        }
        guard let permissions, permissions <= 0o777 else {
          throw AtRestError.invalid(
            "\(value) is no value of the attribute \(key.rawValue).",
            remedy: "Give permissions up to 0o777.")
        }
      default:
        throw AtRestError.invalid(
          "The attribute \(key.rawValue) cannot be set on a protected file.",
          remedy: "Set it with FileManager.")
      }
    }
    return (protection, permissions)
  }
}

extension FileProtection {
  /// The class that a value of the attribute `.protectionKey` names.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` where it names none.
  package init(attribute value: Any) throws {
    let type =
      value as? FileProtectionType ?? (value as? String).map(FileProtectionType.init(rawValue:))
    guard let match = type.flatMap(FileProtection.init) else {
      throw AtRestError.invalid(
        "\(value) is no value of the attribute \(FileAttributeKey.protectionKey.rawValue).",
        remedy: "Give a FileProtectionType.")
    }
    self = match
  }
}
