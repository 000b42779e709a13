import AtRestAudit
import Testing

/// A field is judged by what is typed into it and shown in it, and not by a name or a label alone.
@Suite struct FieldsThatShowNothingTests {
  private func severities(_ files: [String: String], _ rule: RuleID) throws -> [Severity] {
    try Audit(tree: SourceTree(files: files)).run().findings.filter { $0.rule == rule }
      .map(\.severity)
  }

  /// Another view draws dots for the digits that such a field receives.
  @Test func aClearTextIsNotShown() throws {
    func count(_ modifier: String) throws -> Int {
      let view = """
        struct Lock: View {
          var body: some View { TextField("", text: $pin)\(modifier).keyboardType(.numberPad) }
        }
        """
      return try severities(["A.swift": view], "secure-text-entry-missing").count
    }
    #expect(try count("") == 1)
    #expect(try count(".foregroundColor(.black)") == 1)
    #expect(try count(".foregroundColor(isOpen ? .black : .clear)") == 1)
    #expect(try count(".foregroundColor(.clear)") == 0)
    #expect(try count(".foregroundStyle(Color.clear)") == 0)
    #expect(try count(".foregroundColor(Color.black.opacity(0))") == 0)
  }

  @Test func aFieldOfUIKitCanHaveAClearTextToo() throws {
    func count(_ color: String) throws -> Int {
      let screen = """
        class Lock: UIViewController {
          let pinField = UITextField()
          func viewDidLoad() { pinField.textColor = \(color) }
        }
        """
      return try severities(["A.swift": screen], "secure-text-entry-missing").count
    }
    #expect(try count(".black") == 1)
    #expect(try count("UIColor.clear") == 0)
  }

  @Test func anInitialiserCanMakeAFieldSecure() throws {
    func count(_ argument: String) throws -> Int {
      let screen = """
        class Login: UIViewController {
          lazy var passwordField = UITextField(width: 290\(argument))
        }
        """
      return try severities(["A.swift": screen], "secure-text-entry-missing").count
    }
    #expect(try count("") == 1)
    #expect(try count(", isSecureTextEntry: true") == 0)
    #expect(try count(", isSecureTextEntry: false") == 1)
  }

  private func xib(_ field: String, label: String) -> String {
    """
    <document type="com.apple.InterfaceBuilder3.CocoaTouch.XIB"><objects>
    <placeholder placeholderIdentifier="IBFilesOwner" id="-1" customClass="Export"><connections>
    <outlet property="box" destination="f" id="o"/></connections></placeholder>
    <view id="v"><subviews>
    <label text="\(label)" id="l"><rect key="frame" x="0" y="0" width="200" height="20"/></label>
    \(field)
    </subviews></view></objects></document>
    """
  }
  private let box =
    "<textView id=\"f\"><rect key=\"frame\" x=\"0\" y=\"24\" width=\"200\" height=\"80\"/></textView>"

  @Test func nobodyTypesWhatTheAppOnlyDisplays() throws {
    func count(_ code: String) throws -> Int {
      let files = [
        "Export.xib": xib(box, label: "Private key"),
        "Export.m": "@implementation Export\n- (void)show { \(code) }\n@end",
      ]
      return try severities(files, "autocorrection-not-disabled").count
    }
    #expect(try count("") == 1)
    #expect(try count("_box.text = _key;") == 0)
    #expect(try count("[self.box setText:_key];") == 0)
    #expect(try count("_box.text = _key; [self check:_box.text];") == 1)
    #expect(try count("_box.text = _key; _box.delegate = self;") == 1)
    #expect(try count("_box.text = _key; [self check:_box];") == 1)
    // The line that sets the text of another field shows nothing of this one.
    #expect(try count("_other.text = _key;") == 1)
  }

  @Test func aLabelIsShort() throws {
    func count(_ label: String) throws -> Int {
      try severities(
        ["A.xib": xib(box, label: label)], "autocorrection-not-disabled"
      ).count
    }
    #expect(try count("Your recovery phrase") == 1)
    let text = "If you like to store it online, please make sure that a password vault keeps it"
    #expect(try count(text) == 0)
  }

  @Test func theSupplyOfATokenIsNoToken() throws {
    let field =
      "<textField id=\"f\"><rect key=\"frame\" x=\"0\" y=\"24\" width=\"200\" height=\"30\"/></textField>"
    func count(_ label: String) throws -> Int {
      try severities(["A.xib": xib(field, label: label)], "secure-text-entry-missing").count
    }
    #expect(try count("Access token") == 1)
    #expect(try count("Token Supply") == 0)
  }
}
