import Foundation
import KeychainLogin

#if canImport(AtRestSimulation)
  import AtRestKeychain
  import AtRestSimulation
#endif

/// Runs a test on a phone of its own where phones can be simulated, and else on the one there is.
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
  /// A phone of its own, unlocked, with the passcode 1234 and one finger enrolled.
  func phone() throws -> SimulatedDevice {
    let phone = try SimulatedDevice(passcode: "1234")
    phone.enrolBiometry(.touchID)
    return phone
  }
#endif

let login = LoginStore.Login(token: "s3cr3t", expires: Date(timeIntervalSince1970: 2_000_000_000))
