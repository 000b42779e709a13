import AtRestContainers
import AtRestSecrets
import Testing

/// Names with words that are harmless elsewhere.
@Suite struct SecretNameTests {
  private func kinds(_ name: String, _ value: String = "Xk29dkfLs02mVn4Q") -> [SecretKind] {
    SecretDetector().detections(in: Array(value.utf8), name: name).map(\.kind)
  }

  @Test(arguments: ["lastPassword", "devicePassword", "screenTimePasscode", "startup_password"])
  func thePasswordDecides(_ name: String) { #expect(kinds(name) == [.password]) }

  @Test(arguments: [
    "deviceSecret", "updatedAccessToken", "pageAccessToken", "device_auth_token", "deviceSessionId",
  ])
  func theTokenDecides(_ name: String) { #expect(kinds(name) == [.token]) }

  @Test(arguments: [
    "encryptedPassword", "passwordHash", "maskedPassword", "deviceToken", "pushToken", "csrfToken",
    "nextPageToken", "syncToken", "analyticsSessionId", "publicKey", "passwordUpdated", "tokenType",
  ])
  func otherNamesAreHarmless(_ name: String) { #expect(kinds(name) == []) }
}
