irdl.dialect @foo {
  irdl.operation @bar {
  }
}
