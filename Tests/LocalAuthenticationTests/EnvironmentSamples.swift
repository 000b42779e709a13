import AtRestSimulation
import Foundation
import LocalAuthentication
import Testing

/// The sample of docs/Security.md for the environment. Between the marks is what the page shows.
@Suite struct EnvironmentSamples {
  @Test func watchTheEnvironment() async throws {
    // sample: watch the environment
    final class Watcher: NSObject, LAEnvironment.Observer, Sendable {
      let (changes, told) = AsyncStream.makeStream(of: Bool.self)

      func environment(
        _ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironment.State
      ) {
        told.yield(environment.state.biometry?.isUsable == true)
      }
    }

    let device = try SimulatedDevice(passcode: "1234", biometry: .faceID)
    try await device.run {
      let watcher = Watcher()
      LAEnvironment.currentUser.addObserver(watcher)
      print(LAEnvironment.currentUser.state.biometry?.isUsable == true)
      device.enrolBiometry()
      print(await watcher.changes.first { _ in true } == true)

      let right = try await LARightStore.shared.saveRight(LARight(), identifier: "server")
      try await right.authorize(localizedReason: "Sign in")
      let signature = try await right.key.sign(
        Data("challenge".utf8), algorithm: .ecdsaSignatureMessageRFC4754SHA256)
      print(signature.count)
    }
    // sample: end
    #expect(device.user.prompts == [.biometry(reason: "Sign in")])
  }
}
