import AtRestAudit
import AtRestAuditResources
import Foundation
import Testing

@Suite struct InterfaceFileTests {
  private func read(_ text: String) -> InterfaceFile {
    InterfaceFile.read(Data(text.utf8), path: "Login.xib")
  }

  @Test func `A field has its outlets, owner, texts and traits`() throws {
    let file = read(
      ResourceSamples.xib(
        outlets: ["passwordField": "f"],
        ResourceSamples.field(
          "f", #"text="x" placeholder="Password" userLabel="Second""#,
          traits: #"secureTextEntry="YES" autocorrectionType="no" textContentType="password""#)))
    let field = try #require(file.fields.first)
    #expect(
      field.outlets == [InterfaceField.Outlet(owner: "LoginController", name: "passwordField")])
    #expect(field.owner == "LoginController")
    #expect(field.text == "x")
    #expect(field.placeholder == "Password")
    #expect(field.userLabel == "Second")
    #expect(field.isSecure)
    #expect(field.autocorrection == .no)
    #expect(field.spellChecking == .standard)
    #expect(field.textContentType == "password")
    #expect(field.location.start.line == 8)
    #expect(field.subject?.evidence == .outlet)
    #expect(file.fields(ofClass: "LoginController", outlet: "passwordField").count == 1)
    #expect(file.fields(ofClass: "Other", outlet: "passwordField").isEmpty)
  }

  @Test func `A field belongs to the scene of its storyboard`() throws {
    let file = read(
      """
      <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB"><scenes><scene><objects>
      <viewController id="v" customClass="PinController"><view key="view" id="w"><subviews>
      <textField id="f"/></subviews></view>
      <connections><outlet property="pinField" destination="f"/></connections></viewController>
      </objects></scene></scenes></document>
      """)
    #expect(file.fields.first?.owner == "PinController")
    #expect(file.fields.first?.outlets.first?.owner == "PinController")
    #expect(file.owners == ["PinController"])
  }

  @Test func `The nearest label above or to the left tells what a field is for`() {
    let file = read(
      ResourceSamples.xib(
        ResourceSamples.label("Name", frame: (20, 10))
          + ResourceSamples.field("a", frame: (20, 32))
          + ResourceSamples.label("Security answer", frame: (20, 70))
          + ResourceSamples.field("b", frame: (20, 92))
          + ResourceSamples.label("City", frame: (20, 200))
          + ResourceSamples.field("c", frame: (240, 196))))
    #expect(file.fields.map(\.caption) == ["Name", "Security answer", "City"])
  }

  @Test func `In a stack the view before a field is its label`() {
    let file = read(
      ResourceSamples.xib(
        "<stackView><subviews>" + #"<label text="PIN"/>"# + ResourceSamples.field("a")
          + "</subviews></stackView>"))
    #expect(file.fields.map(\.caption) == ["PIN"])
  }

  @Test func `A label beside the frame around a field is the field's`() {
    let file = read(
      ResourceSamples.xib(
        ResourceSamples.label("Password", frame: (20, 10))
          + #"<view><rect key="frame" x="20" y="32" width="200" height="40"/><subviews>"#
          + ResourceSamples.field("a", frame: (5, 5)) + "</subviews></view>"))
    #expect(file.fields.map(\.caption) == ["Password"])
  }

  @Test func `Fields of AppKit are told from labels by their cells`() {
    let cell = #"<textFieldCell key="cell" editable="YES" placeholderString="Password"/>"#
    let file = read(
      ResourceSamples.xib(
        runtime: "MacOSX.Cocoa",
        """
        <textField id="a"><textFieldCell key="cell" title="Password"/></textField>
        <textField id="b">\(cell)</textField>
        <secureTextField id="c"><secureTextFieldCell key="cell" editable="YES"/></secureTextField>
        """))
    #expect(file.fields.map(\.id) == ["b", "c"])
    #expect(file.fields.map(\.isSecure) == [false, true])
    #expect(file.fields.first?.placeholder == "Password")
  }

  @Test func `A file of an old editor is said`() {
    let file = read(
      "<archive type=\"com.apple.InterfaceBuilder3.CocoaTouch.XIB\"><data/></archive>")
    #expect(file.skipped.map(\.reason) == ["The file is from an editor before Xcode 5."])
  }
}
