-- Neovim 0.7 as a client of `cfn lsp`: opens the file named in FORMWORK_FILE, types, asks, and writes what it got.
local file, report = vim.env.FORMWORK_FILE, vim.env.FORMWORK_REPORT
local got = {}

local function finish()
  local out = assert(io.open(report, "w"))
  out:write(vim.json.encode(got))
  out:close()
  vim.cmd("qa!")
end

local function codes()
  local found = {}
  for _, each in ipairs(vim.diagnostic.get(0)) do
    table.insert(found, each.code or (each.user_data and each.user_data.lsp and each.user_data.lsp.code) or "")
  end
  table.sort(found)
  return found
end

local function has(code)
  return function()
    return vim.tbl_contains(codes(), code)
  end
end

local ok, problem = pcall(function()
  vim.cmd("edit " .. vim.fn.fnameescape(file))
  local id = vim.lsp.start_client({
    name = "formwork",
    cmd = { vim.env.FORMWORK_CFN, "lsp" },
    root_dir = vim.fn.fnamemodify(file, ":h"),
  })
  assert(id, "the client does not start")
  assert(vim.lsp.buf_attach_client(0, id), "the buffer is not attached")
  assert(vim.wait(60000, function() return vim.lsp.get_client_by_id(id).initialized end, 20), "not initialized")
  local client = vim.lsp.get_client_by_id(id)
  got.version = vim.fn.matchstr(vim.fn.execute("version"), "NVIM v[0-9.]*")
  got.fine = vim.wait(60000, has("schema.missing-description"), 20)

  local function ask(method, line, character, more)
    local params = { textDocument = vim.lsp.util.make_text_document_params(0), position = { line = line, character = character } }
    local reply = client.request_sync(method, vim.tbl_extend("force", params, more or {}), 60000, 0)
    assert(reply and not reply.err, method .. ": " .. vim.inspect(reply))
    return reply.result
  end

  local line = vim.fn.search('"/properties/Name"', "w") - 1
  local text = vim.fn.getline(line + 1)
  local at = text:find("/properties") + 3
  got.hover = ask("textDocument/hover", line, at).contents.value
  got.definition = ask("textDocument/definition", line, at)[1].range.start.line
  got.references = #ask("textDocument/references", line, at, { context = { includeDeclaration = true } })
  got.completion = #ask("textDocument/completion", line, at).items
  got.lenses = #ask("textDocument/codeLens", line, at)

  -- An incremental edit behind a character of two UTF-16 units.
  vim.fn.setline(line + 1, (text:gsub("/properties/Name", "/properties/🧱Nope")))
  got.fault = vim.wait(60000, has("schema.pointer-not-found"), 20)
  vim.fn.setline(line + 1, text)
  got.fixed = vim.wait(60000, function() return not has("schema.pointer-not-found")() end, 20)
  vim.fn.deletebufline("%", 1)
  got.broken = vim.wait(60000, has("document.syntax"), 20)
  vim.fn.append(0, "{")
  got.whole = vim.wait(60000, function() return not has("document.syntax")() end, 20)

  local edit = ask("textDocument/rename", line, at, { newName = "Title" })
  vim.lsp.util.apply_workspace_edit(edit, client.offset_encoding)
  got.renamed = vim.fn.search('"/properties/Title"', "w") > 0
  client.stop()
  got.stopped = vim.wait(60000, function() return client.is_stopped() end, 20)
end)
got.problem = not ok and tostring(problem) or nil
finish()
