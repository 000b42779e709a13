/// A control of MASVS 2 that the auditor has tests for.
enum MASVSControl: String, CaseIterable {
  case storage1 = "MASVS-STORAGE-1"
  case storage2 = "MASVS-STORAGE-2"
  case crypto1 = "MASVS-CRYPTO-1"
  case crypto2 = "MASVS-CRYPTO-2"
  case auth2 = "MASVS-AUTH-2"
  case platform1 = "MASVS-PLATFORM-1"
  case platform2 = "MASVS-PLATFORM-2"
  case platform3 = "MASVS-PLATFORM-3"
  case code3 = "MASVS-CODE-3"
  case code4 = "MASVS-CODE-4"
  case resilience1 = "MASVS-RESILIENCE-1"
  case privacy1 = "MASVS-PRIVACY-1"

  /// The demand of the control, in a few words.
  var title: String {
    switch self {
    case .storage1: "Sensitive data is stored securely"
    case .storage2: "Sensitive data does not leak"
    case .crypto1: "Cryptography is current and used as intended"
    case .crypto2: "Keys are managed as the practice demands"
    case .auth2: "Local authentication is secure"
    case .platform1: "Mechanisms between processes are used securely"
    case .platform2: "Web views are used securely"
    case .platform3: "The interface does not show sensitive data"
    case .code3: "Dependencies have no known vulnerabilities"
    case .code4: "Untrusted input is validated"
    case .resilience1: "The integrity of the platform is validated"
    case .privacy1: "Access to personal data is minimal and declared"
    }
  }
}
