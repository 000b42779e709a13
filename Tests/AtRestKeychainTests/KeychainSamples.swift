import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation
import Testing

/// The samples of docs/Keychain.md. Between the marks is what the page shows.
@Suite struct KeychainSamples {
  private let token = PrimaryKey.genericPassword(service: "com.example.api", account: "eva")

  @Test func openAStore() throws {
    let place = FileManager.default.temporaryDirectory
      .appendingPathComponent("atrest-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: place) }
    let (folder, deviceFolder) = (
      place.appendingPathComponent("store"), place.appendingPathComponent("device")
    )
    let passcode = SecretBytes(utf8: "four words of mine")
    let options = Keybag.Options(kdf: .forTesting)
    _ = try Keybag.create(
      at: folder, device: FileDeviceKey.openOrCreate(in: deviceFolder), passcode: passcode,
      options: options)
    // sample: open a store
    let device = try FileDeviceKey(in: deviceFolder)  // FileDeviceKey.create the first time
    let keybag = try Keybag.open(at: folder, device: device)  // Keybag.create the first time
    try keybag.unlock(passcode: passcode)
    let keychain = try Keychain.open(keybag, identity: ApplicationIdentity("com.example.app"))

    let token = PrimaryKey.genericPassword(service: "com.example.api", account: "eva")
    try keychain.add(token, secret: SecretBytes(utf8: "s3cr3t"), attributes: [.label: "API"])
    let secret = try keychain.secret(for: token)  // SecretBytes, erased when it is released
    // sample: end
    let text = String(copying: secret)
    #expect(text == "s3cr3t")
  }

  @Test func unlockAtTheStart() throws {
    let place = FileManager.default.temporaryDirectory
      .appendingPathComponent("atrest-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: place) }
    let location = StoreLocation(
      store: place.appendingPathComponent("store").path,
      device: place.appendingPathComponent("device").path)
    _ = try Keybag.create(
      at: location.store, device: location.makeDevice(.file),
      passcode: SecretBytes(utf8: "four words of mine"), options: Keybag.Options(kdf: .forTesting))
    let file = place.appendingPathComponent("passcode")
    try Data("four words of mine".utf8).write(to: file)
    // sample: unlock at the start
    let keybag = try location.openKeybag()  // StoreLocation() reads ATREST_STORE and ATREST_DEVICE
    try keybag.unlock(passcode: SecretBytes(Data(contentsOf: file)))
    let keychain = try Keychain.open(keybag, identity: ApplicationIdentity("com.example.app"))
    // sample: end
    #expect(keybag.lockState == .unlocked)
    #expect(try keychain.count() == 0)
  }

  @Test func readAsynchronously() async throws {
    let keychain = try SampleDevice().keychain
    try await keychain.add(token, secret: SecretBytes(utf8: "s3cr3t"))
    // sample: read without blocking
    let secret = try await keychain.secret(for: token)
    // sample: end
    let text = String(copying: secret)
    #expect(text == "s3cr3t")
  }

  private func outcome(_ keychain: Keychain) throws -> String {
    // sample: distinguish the four refusals
    do {
      let secret = try keychain.secret(for: token)
      return "\(secret.count) bytes"
    } catch AtRestError.Code.notFound {
      return "there is no such item"
    } catch AtRestError.Code.locked {
      return "the item may exist: unlock the store and try again"
    } catch let error as AtRestError where error.refusal == .notPermitted {
      return "access group, access control, a wrong finger or a cancelled prompt"
    } catch let error as AtRestError where error.refusal == .damaged {
      return "the item was modified, swapped or rolled back outside AtRest"
    }
    // sample: end
  }

  @Test func distinguishTheFourRefusals() throws {
    let device = try SampleDevice()
    #expect(try outcome(device.keychain) == "there is no such item")
    try device.keychain.add(token, secret: SecretBytes(utf8: "s3cr3t"))
    #expect(try outcome(device.keychain) == "6 bytes")
    device.lock()
    #expect(try outcome(device.keychain).hasPrefix("the item may exist"))
  }

  @Test func makeAKeyWhenMissing() throws {
    let keychain = try SampleDevice().keychain
    let databaseKey = token
    // sample: create a key once
    let key = try keychain.getOrCreate(databaseKey) { SecretBytes.random(count: 32) }
    // sample: end
    let second = try keychain.getOrCreate(token) { SecretBytes.random(count: 32) }
    let same = key.isEqual(to: second)
    #expect(same)
  }

  @Test func beginAnInstallation() throws {
    let keychain = try SampleDevice().keychain
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("sample-\(UUID().uuidString)", isDirectory: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // sample: begin an installation
    let launch = try keychain.beginInstallation(in: folder)
    // sample: end
    #expect(launch == .first)
  }

  @Test func aSecretAsText() throws {
    let keychain = try SampleDevice().keychain
    try keychain.add(token, secret: SecretBytes(utf8: "s3cr3t"))
    // sample: use a secret
    let secret = try keychain.secret(for: token)
    let text = String(copying: secret)  // nil if it is no UTF-8
    let data = Data(copying: secret)  // both are copies that nobody erases
    let count = secret.withUnsafeBytes { $0.count }  // the bytes in place, without a copy
    // sample: end
    #expect(text == "s3cr3t" && data == Data("s3cr3t".utf8) && count == 6)
  }

  // sample: provide the prompt
  struct Prompt: Authenticator {
    /// No reader: items that require biometry are refused.
    let biometry = BiometryState.unavailable

    func passcode(for request: AuthenticationRequest) throws -> SecretBytes {
      try ask("\(request.reason): passcode")  // the keychain checks it
    }

    func matchesBiometry(for request: AuthenticationRequest) throws -> Bool { false }

    func applicationPassword(for request: AuthenticationRequest) throws -> SecretBytes {
      try ask("\(request.reason): the password of this item")
    }
  }
  // sample: end

  @Test func provideThePrompt() throws {
    let place = FileManager.default.temporaryDirectory
      .appendingPathComponent("atrest-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: place) }
    let passcode = SecretBytes(utf8: "four words of mine")
    let keybag = try Keybag.create(
      at: place.appendingPathComponent("store"),
      device: FileDeviceKey.openOrCreate(in: place.appendingPathComponent("device")),
      passcode: passcode, options: Keybag.Options(kdf: .forTesting))
    try keybag.unlock(passcode: passcode)
    let keychain = try Keychain.open(
      keybag, identity: ApplicationIdentity("com.example.app"), authenticator: Prompt())
    try keychain.add(
      token, secret: SecretBytes(utf8: "s3cr3t"),
      protection: .controlled(AccessControl(.whenUnlocked, .devicePasscode)))
    let secret = try keychain.secret(
      for: token, context: AuthenticationContext(reason: "Pay the invoice"))
    #expect(secret.count == 6)
    // Another reason is not answered.
    #expect(throws: AtRestError.self) {
      let secret = try keychain.secret(
        for: token, context: AuthenticationContext(reason: "Look around"))
      #expect(secret.count == 0)
    }
  }

  @Test func askForTheUser() throws {
    let device = try SampleDevice()
    let (keychain, card) = (device.keychain, token)
    // sample: ask the user
    try keychain.add(
      card, secret: SecretBytes(utf8: "4111 1111 1111 1111"),
      protection: .controlled(
        AccessControl(.whenUnlockedThisDeviceOnly, .devicePasscodeOr(.currentSet))))

    let context = AuthenticationContext(reason: "Pay the invoice")  // asks once for several reads
    let number = try keychain.secret(for: card, context: context)
    // sample: end
    let count = try number.count + keychain.secret(for: card, context: context).count
    #expect(count == 38)
    #expect(device.promptCount == 1)
  }

  @Test func signWithAKeyThatStays() throws {
    let keychain = try SampleDevice().keychain
    let message = Data("message".utf8)
    // sample: sign
    let publicKey = try keychain.createKey(.p256, tag: "com.example.signing")
    let signature = try keychain.sign(message, tag: "com.example.signing")
    let isValid = try publicKey.isValidSignature(signature, for: message)
    // sample: end
    #expect(isValid)
  }

  @Test func signWithAKeyInHardware() throws {
    let keychain = try SampleDevice(hasHardwareKeys: true).keychain
    let message = Data("message".utf8)
    // sample: sign in hardware
    let publicKey = try keychain.createHardwareKey(tag: "com.example.machine")
    let signature = try keychain.sign(message, tag: "com.example.machine")
    let isValid = try publicKey.isValidSignature(signature, for: message)
    // sample: end
    #expect(isValid)
  }

  @Test func changeManyThingsOrNone() throws {
    let keychain = try SampleDevice().keychain
    let new = PrimaryKey.genericPassword(service: "com.example.api", account: "adam")
    try keychain.add(token, secret: SecretBytes(utf8: "x"))
    // sample: change many items or none
    try keychain.transaction {
      try keychain.move(token, to: new)
      try keychain.update(new, ItemChange(protection: .accessible(.afterFirstUnlock)))
    }
    // sample: end
    #expect(try keychain.item(for: new).protection == .accessible(.afterFirstUnlock))
  }
}

/// The terminal or window of an application, whose user answers one question.
private func ask(_ question: String) throws -> SecretBytes {
  guard question == "Pay the invoice: passcode" else {
    throw AtRestError(.canceled, "Nobody answered.", remedy: "Try again.")
  }
  return SecretBytes(utf8: "four words of mine")
}
