/// A test of the MASTG for iOS, and the means that it needs.
struct MASVSTest {
  /// The means of a test.
  enum Means {
    /// The sources and resources of the app.
    case code
    /// The files that the app left on a device.
    case container
    /// The app while it runs on a device.
    case device
  }

  let id: String
  let control: MASVSControl
  /// The data or code that the test looks for.
  let subject: String
  let means: Means

  static let all: [MASVSTest] = [
    test("0299", .storage1, "protection classes of files"),
    test("0300", .storage1, "calls that store data unencrypted in private storage"),
    test("0301", .storage1, "such calls while the app runs", .device),
    test("0302", .storage1, "sensitive data unencrypted in files of the container", .container),
    test("0303", .storage1, "data in folders that other apps or people reach"),
    test("0388", .storage1, "data in containers of app groups"),
    test("0215", .storage2, "files that rely on their exclusion from backups"),
    test("0298", .storage2, "files that a backup takes while the app runs", .device),
    test("0296", .storage2, "sensitive data in logs while the app runs", .device),
    test("0297", .storage2, "calls that write sensitive data to logs"),
    test("0313", .storage2, "text fields that the keyboard learns from"),
    test("0314", .storage2, "such fields while the app runs", .device),
    test("0209", .crypto1, "keys that are too short"),
    test("0210", .crypto1, "broken ciphers"),
    test("0211", .crypto1, "broken hashes"),
    test("0311", .crypto1, "insecure random numbers"),
    test("0317", .crypto1, "broken modes of ciphers"),
    test("0213", .crypto2, "keys in the code"),
    test("0214", .crypto2, "keys in files of the app"),
    test("0266", .auth2, "authentication by an event that can be forged"),
    test("0267", .auth2, "such events while the app runs", .device),
    test("0268", .auth2, "fallback to the passcode"),
    test("0269", .auth2, "such fallbacks while the app runs", .device),
    test("0270", .auth2, "keys that a new enrolment does not invalidate"),
    test("0271", .auth2, "such keys while the app runs", .device),
    test("0276", .platform1, "use of the general pasteboard"),
    test("0277", .platform1, "sensitive data on the pasteboard while the app runs", .device),
    test("0278", .platform1, "contents of the pasteboard that are not cleared"),
    test("0279", .platform1, "contents of the pasteboard that do not expire"),
    test("0280", .platform1, "contents of the pasteboard that other devices receive"),
    test("0389", .platform1, "custom keyboards"),
    test("0390", .platform1, "custom keyboards while the app runs", .device),
    test("0333", .platform2, "web views that may read more files than they need"),
    test("0335", .platform2, "pages from files that may read other files"),
    test("0378", .platform2, "password fields in HTML of a web view"),
    test("0379", .platform2, "scripts that run in the world of the page they read"),
    test("0290", .platform3, "pictures of the screen that the system keeps"),
    test("0346", .platform3, "fields that show what is typed"),
    test("0347", .platform3, "such fields while the app runs", .device),
    test("0273", .code3, "dependencies with known vulnerabilities, by lock files"),
    test("0275", .code3, "dependencies with known vulnerabilities, by a list of parts"),
    test("0386", .code4, "archives that create objects of any class"),
    test("0387", .code4, "stored data that nobody checks for changes"),
    test("0246", .resilience1, "checks for a passcode while the app runs", .device),
    test("0248", .resilience1, "checks for a passcode"),
    test("0281", .privacy1, "tracking domains that are not declared"),
    test("0360", .privacy1, "purposes of permissions that are not declared"),
    test("0362", .privacy1, "entitlements that the app does not need"),
  ]

  private static func test(
    _ number: String, _ control: MASVSControl, _ subject: String, _ means: Means = .code
  ) -> MASVSTest {
    MASVSTest(id: "MASTG-TEST-\(number)", control: control, subject: subject, means: means)
  }
}
