import AtRestCrypto
import Foundation

/// An answer to a pragma of SQLCipher on a database that is open.
///
/// The settings are those of the file, so a pragma that asks gets them, and one that sets a value is accepted
/// if it is the present one. Otherwise a program would believe that it had changed something.
enum CipherPragma: Equatable {
  /// A pragma of SQLite.
  case unknown
  case row(String)
  case done
  case refused(String)

  init(_ name: String, _ value: String?, cipher: PageCipher) {
    let name = name.lowercased()
    switch name {
    case "key", "hexkey":
      self = Self.key(value, isHexadecimal: name == "hexkey", cipher)
    case "rekey", "hexrekey", "cipher_migrate":
      // SQLite would ignore the pragma, and the caller would believe that the key was changed.
      self = .refused("change the key with atrest database rekey, or the call rekey")
    case "cipher_settings": self = .row(Self.list("PRAGMA ", cipher))
    case "cipher_default_settings": self = .row(Self.list("PRAGMA cipher_default_", cipher))
    case "cipher_log", "cipher_log_level", "cipher_log_source", "cipher_profile", "cipher_trace":
      // Nothing is logged, so switching that off has its effect.
      let isOff = value.map { ["none", "0", "off", ""].contains($0.lowercased()) } ?? true
      self = isOff ? .done : .refused("AtRest logs no pages; remove the pragma")
    default: self = Self.setting(name, value, cipher)
    }
  }

  // MARK: Settings

  /// The settings that SQLCipher lists, in its order.
  private static func listed(_ format: DatabaseFormat) -> [(name: String, value: String)] {
    [
      ("kdf_iter", "\(format.rounds)"), ("cipher_page_size", "\(format.pageSize)"),
      ("cipher_use_hmac", format.authentication != nil ? "1" : "0"),
      ("cipher_plaintext_header_size", format.hasPlaintextHeader ? "32" : "0"),
      ("cipher_hmac_algorithm", "HMAC_" + (format.authentication ?? .sha1).name),
      ("cipher_kdf_algorithm", "PBKDF2_HMAC_" + format.derivation.name),
    ]
  }

  private static func list(_ beginning: String, _ cipher: PageCipher) -> String {
    listed(cipher.format).map { name, value in
      let name = beginning.hasSuffix("_") ? name.replacing("cipher_", with: "") : name
      return "\(beginning)\(name) = \(value);"
    }.joined(separator: "\n")
  }

  private static func setting(_ name: String, _ value: String?, _ cipher: PageCipher) -> Self {
    let format = cipher.format
    var known = Dictionary(uniqueKeysWithValues: listed(format).map { ($0.name, $0.value) })
    known["cipher_version"] = "4.0.0 AtRest"
    known["cipher_provider"] = "swift-crypto"
    known["cipher_provider_version"] = "BoringSSL"
    known["cipher"] = "AES-256-CBC"
    known["cipher_status"] = "1"
    known["cipher_memory_security"] = "0"
    known["cipher_compatibility"] = format.name.filter(\.isNumber)
    known["cipher_salt"] = cipher.salt.map { String(format: "%02x", $0) }.joined()
    known["fast_kdf_iter"] = "2"
    known["cipher_hmac_pgno"] = "le"
    known["cipher_hmac_salt_mask"] = "3a"
    known["cipher_fips_status"] = "0"
    // Settings for databases that are made later are those of this one.
    let isDefault = name.hasPrefix("cipher_default_")
    let rest = name.dropFirst("cipher_default_".count)
    let found = isDefault ? known["cipher_\(rest)"] ?? known[String(rest)] : known[name]
    guard let present = found else {
      guard name.hasPrefix("cipher") || name.hasSuffix("kdf_iter") else { return .unknown }
      return .refused("AtRest has no \(name); remove the pragma")
    }
    guard let value else { return present.isEmpty ? .done : .row(present) }
    return normalized(value) == normalized(present)
      ? .done
      : .refused("the database is open with \(name) \(present); open it in another format")
  }

  /// Removes the quotes of a blob, and writes booleans as numbers.
  private static func normalized(_ value: String) -> String {
    let value = value.lowercased()
    switch value {
    case "on", "true", "yes": return "1"
    case "off", "false", "no": return "0"
    default:
      return value.hasPrefix("x'") ? String(value.dropFirst(2).dropLast()) : value
    }
  }

  // MARK: The key

  private static func key(
    _ value: String?, isHexadecimal: Bool, _ cipher: PageCipher
  ) -> Self {
    guard let value else { return .refused("no key was named") }
    var digits: Substring?
    if isHexadecimal { digits = value[...] }
    if value.lowercased().hasPrefix("x'"), value.hasSuffix("'") {
      digits = value.dropFirst(2).dropLast()
    }
    let bytes = digits.flatMap { Data(hexadecimal: $0) }
    guard digits == nil || bytes != nil else { return .refused("the key is not hexadecimal") }
    do {
      let key: DatabaseKey =
        if let bytes, !isHexadecimal {
          try .raw(SecretBytes(bytes))
        } else {
          .passphrase(SecretBytes(bytes ?? Data(value.utf8)))
        }
      guard cipher.hasKey(of: try key.cipher(salt: cipher.salt, in: cipher.format)) else {
        return .refused("the database is open with another key")
      }
      return .row("ok")
    } catch {
      return .refused((error as? AtRestError)?.message ?? "the key is not valid")
    }
  }
}

extension DatabaseFormat.Hash {
  /// The name that SQLCipher has for the hash function.
  fileprivate var name: String {
    switch self {
    case .sha1: "SHA1"
    case .sha256: "SHA256"
    case .sha512: "SHA512"
    }
  }
}

extension Data {
  /// Reads hexadecimal digits, or returns nil if there are other characters.
  fileprivate init?(hexadecimal digits: Substring) {
    let digits = Array(digits.utf8)
    guard digits.count % 2 == 0 else { return nil }
    self.init()
    for index in stride(from: 0, to: digits.count, by: 2) {
      let pair = String(decoding: digits[index..<index + 2], as: UTF8.self)
      guard let byte = UInt8(pair, radix: 16) else { return nil }
      append(byte)
    }
  }
}
