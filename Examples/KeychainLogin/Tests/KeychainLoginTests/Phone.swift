import Foundation
import KeychainLogin

#if canImport(AtRestSimulation)
  import AtRestKeychain
  import AtRestSimulation
#endif

/// Runs a test on a new simulated phone, or on the real phone if phones cannot be simulated.
func onAnyPhone(_ body: (LoginStore) throws -> Void) throws {
  let logins = LoginStore(service: "com.example.mail.tests.\(UUID())")
  defer { try? logins.wipe() }
  #if canImport(AtRestSimulation)
    try SimulatedDevice(passcode: "1234").run { try body(logins) }
  #else
    try body(logins)
  #endif
}

#if canImport(AtRestSimulation)
  /// Creates an unlocked phone with the passcode 1234 and one enrolled finger.
  func phone() throws -> SimulatedDevice {
    let phone = try SimulatedDevice(passcode: "1234")
    phone.enrolBiometry(.touchID)
    return phone
  }
#endif

let login = LoginStore.Login(token: "s3cr3t", expires: Date(timeIntervalSince1970: 2_000_000_000))
