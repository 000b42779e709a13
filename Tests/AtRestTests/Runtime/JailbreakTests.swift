import AtRest
import Testing

/// The file system of a phone is an argument, so every sign can be tested anywhere.
@Suite struct JailbreakTests {
  private static var phone: RuntimeEnvironment {
    var environment = RuntimeEnvironment(platform: .appleMobile)
    environment.canOpen = { _ in false }
    return environment
  }

  @Test func aPlainPhoneIsClear() {
    #expect(Self.phone.only(.jailbreak).outcome == .clear)
  }

  @Test func everyPathIsASign() {
    #expect(JailbreakSigns.known.paths.count > 40)
    for path in JailbreakSigns.known.paths {
      var phone = Self.phone
      phone.exists = { $0 == path }
      let finding = phone.only(.jailbreak)
      #expect(finding.outcome == .found && finding.message.contains(path))
    }
  }

  @Test func everySchemeIsASign() {
    for scheme in JailbreakSigns.known.schemes {
      var phone = Self.phone
      phone.canOpen = { $0 == scheme }
      #expect(phone.only(.jailbreak).message.contains("\(scheme)://"))
    }
  }

  @Test func everyWritableFolderIsASign() {
    for folder in JailbreakSigns.known.writableFolders {
      var phone = Self.phone
      phone.canWrite = { $0 == folder }
      #expect(phone.only(.jailbreak).message.contains("can write outside"))
    }
  }

  @Test func schemesThatWereNotAskedForAreSaid() {
    var phone = Self.phone
    phone.canOpen = { _ in nil }
    #expect(phone.only(.jailbreak).message.contains("not checked"))
    #expect(!Self.phone.only(.jailbreak).message.contains("not checked"))
  }

  @Test func anApplicationsOwnTable() {
    var phone = Self.phone
    phone.exists = { $0 == "/var/new-jailbreak" }
    #expect(phone.only(.jailbreak).outcome == .clear)
    var signs = JailbreakSigns.known
    signs.paths.append("/var/new-jailbreak")
    #expect(RuntimeIntegrity(phone).jailbreak(signs).map(\.outcome) == [.found])
  }

  /// Linux has /bin/sh, which is also a sign.
  @Test func elsewhereThereIsNone() {
    var machine = RuntimeEnvironment.linux()
    machine.exists = { _ in true }
    #expect(machine.only(.jailbreak).outcome == .notApplicable)
  }
}
