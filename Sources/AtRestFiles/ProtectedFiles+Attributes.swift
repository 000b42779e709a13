import AtRestCrypto
import AtRestKeybag
import Foundation

/// The calls of `FileManager`, with a `.protectionKey` that takes effect.
extension ProtectedFiles {
  /// Creates a file, and replaces an existing file.
  ///
  /// ```swift
  /// try files.createFile(
  ///   atPath: path, contents: data, attributes: [.protectionKey: FileProtectionType.complete])
  /// ```
  ///
  /// - Parameters:
  ///   - contents: The contents, or nil for an empty file.
  ///   - attributes: `.protectionKey` (a `FileProtectionType` or its raw value) and
  ///     `.posixPermissions`. Other attributes are refused, not ignored.
  /// - Throws: ``AtRestError/Code/invalidArgument`` for other attributes or values; otherwise the
  ///   errors of `write(_:to:options:protection:)`.
  public func createFile(
    atPath path: String, contents: Data? = nil, attributes: [FileAttributeKey: Any] = [:]
  ) throws {
    let (protection, permissions) = try Self.read(attributes)
    try write(
      contents ?? Data(),
      to: .file(
        SystemPath.url(path), replacing: true, permissions: permissions),
      protection: protection)
  }

  /// Returns the attributes of a protected file: those of `FileManager`, with the `.size` of the
  /// contents, and with the `.protectionKey` of the header if a store protects the file.
  ///
  /// Reading the attributes needs no key; see `FileDescription`.
  ///
  /// - Throws: The errors of `FileDescription.init(of:)`.
  public func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] {
    let description = try FileDescription(of: SystemPath.url(path))
    var attributes = try FileManager.default.attributesOfItem(
      atPath: FolderEntry.resolved(path) ?? path)
    attributes[.size] = NSNumber(value: description.size)
    // atrest:ignore linux-no-op-protection only reports the class; AtRest has protected the file
    attributes[.protectionKey] = description.protection?.fileProtectionType
    return attributes
  }

  /// Changes the protection class and the permissions of a file.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` for other attributes or values; otherwise the
  ///   errors of `setProtection(_:of:)`.
  public func setAttributes(
    _ attributes: [FileAttributeKey: Any], ofItemAtPath path: String
  ) throws {
    let (protection, permissions) = try Self.read(attributes)
    if let protection { try setProtection(protection, of: SystemPath.url(path)) }
    if let permissions {
      guard SystemPath.with(path, { chmod($0, mode_t(permissions)) }) == 0 else {
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
            "\(value) is not a value of the attribute \(key.rawValue).",
            remedy: "Pass permissions up to 0o777.")
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
  /// Creates the class for a value of the attribute `.protectionKey`.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the value names no class.
  package init(attribute value: Any) throws {
    let type =
      value as? FileProtectionType ?? (value as? String).map(FileProtectionType.init(rawValue:))
    guard let match = type.flatMap(FileProtection.init) else {
      throw AtRestError.invalid(
        "\(value) is not a value of the attribute \(FileAttributeKey.protectionKey.rawValue).",
        remedy: "Pass a FileProtectionType.")
    }
    self = match
  }
}
