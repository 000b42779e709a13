import AtRestSimulation
import Foundation
import Security
import Testing

/// An item with a protection, which is saved and read through Keychain Services.
struct Specimen: Sendable {
  let name: String
  var accessible = kSecAttrAccessibleWhenUnlocked as String
  var flags: SecAccessControlCreateFlags = []

  /// Reads the item after an event. Returns `readable`, `gone` or the status code.
  func fate(after event: DeviceEvent) throws -> String {
    let device = try SimulatedDevice(passcode: "1234")
    device.enrolBiometry()
    device.user.know(applicationPassword: "open sesame")
    let saved = device.run { save() }
    guard saved == errSecSuccess else { return "not saved: \(saved)" }
    let later = try device.after(event)
    return switch later.run({ read() }) {
    case errSecSuccess: "readable"
    case errSecItemNotFound: "gone"
    case let status: "\(status)"
    }
  }

  private var isKey: Bool { flags.contains(.privateKeyUsage) }
  private var accessControl: SecAccessControl {
    SecAccessControlCreateWithFlags(nil, accessible as CFString, flags, nil)!
  }
  private var query: [CFString: Any] {
    isKey
      ? [kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("specimen".utf8)]
      : [kSecClass: kSecClassGenericPassword, kSecAttrService: "specimen"]
  }

  private func save() -> OSStatus {
    if isKey {
      let attributes: [CFString: Any] = [
        kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
        kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
        kSecPrivateKeyAttrs: [
          kSecAttrIsPermanent: true, kSecAttrApplicationTag: Data("specimen".utf8),
          kSecAttrAccessControl: accessControl,
        ] as [CFString: Any],
      ]
      return status { SecKeyCreateRandomKey(attributes as CFDictionary, $0) != nil }
    }
    var attributes = query
    attributes[kSecValueData] = Data("s3cr3t".utf8)
    if flags.isEmpty {
      attributes[kSecAttrAccessible] = accessible
    } else {
      attributes[kSecAttrAccessControl] = accessControl
    }
    return SecItemAdd(attributes as CFDictionary, nil)
  }

  private func read() -> OSStatus {
    var result: CFTypeRef?
    let returning: [CFString: Any] = isKey ? [kSecReturnRef: true] : [kSecReturnData: true]
    let found = SecItemCopyMatching(
      query.merging(returning) { $1 } as CFDictionary, &result)
    guard found == errSecSuccess, let key = result as? SecKey else {
      precondition(found != errSecSuccess || result as? Data == Data("s3cr3t".utf8))
      return found
    }
    return status {
      SecKeyCreateSignature(
        key, .ecdsaSignatureMessageX962SHA256, Data("invoice".utf8) as CFData, $0) != nil
    }
  }

  private func status(
    _ call: (UnsafeMutablePointer<Unmanaged<CFError>?>) -> Bool
  ) -> OSStatus {
    var error: Unmanaged<CFError>?
    if call(&error) { return errSecSuccess }
    return OSStatus(error!.takeRetainedValue().code)
  }
}

/// A table of specimens and events in Markdown.
struct SurvivalTable: Sendable, CustomTestStringConvertible {
  let title: String
  var testDescription: String { title }
  let specimens: [Specimen]

  static let accessibilities = SurvivalTable(
    title: "accessible",
    specimens: [
      ("WhenUnlocked", kSecAttrAccessibleWhenUnlocked),
      ("AfterFirstUnlock", kSecAttrAccessibleAfterFirstUnlock),
      ("Always", kSecAttrAccessibleAlways),
      ("WhenUnlockedThisDeviceOnly", kSecAttrAccessibleWhenUnlockedThisDeviceOnly),
      ("AfterFirstUnlockThisDeviceOnly", kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly),
      ("AlwaysThisDeviceOnly", kSecAttrAccessibleAlwaysThisDeviceOnly),
      ("WhenPasscodeSetThisDeviceOnly", kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly),
    ].map { Specimen(name: "`\($0)`", accessible: $1 as String) })

  static let flags = SurvivalTable(
    title: "flags",
    specimens: [
      ("userPresence", .userPresence),
      ("biometryAny", .biometryAny),
      ("biometryCurrentSet", .biometryCurrentSet),
      ("devicePasscode", .devicePasscode),
      ("biometryAny, or, devicePasscode", [.biometryAny, .or, .devicePasscode]),
      ("biometryCurrentSet, or, devicePasscode", [.biometryCurrentSet, .or, .devicePasscode]),
      ("biometryAny, and, devicePasscode", [.biometryAny, .and, .devicePasscode]),
      ("biometryCurrentSet, and, devicePasscode", [.biometryCurrentSet, .and, .devicePasscode]),
      ("applicationPassword", .applicationPassword),
      ("privateKeyUsage", .privateKeyUsage),
      ("privateKeyUsage, biometryCurrentSet", [.privateKeyUsage, .biometryCurrentSet]),
    ].map { Specimen(name: "`\($0)`", flags: $1) })

  func markdown() throws -> String {
    var lines = [
      line([title] + DeviceEvent.allCases.map(\.rawValue)),
      line(Array(repeating: "---", count: DeviceEvent.allCases.count + 1)),
    ]
    for specimen in specimens {
      lines.append(
        line([specimen.name] + (try DeviceEvent.allCases.map { try specimen.fate(after: $0) })))
    }
    return lines.joined(separator: "\n")
  }

  private func line(_ cells: [String]) -> String {
    "| \(cells.joined(separator: " | ")) |"
  }
}
