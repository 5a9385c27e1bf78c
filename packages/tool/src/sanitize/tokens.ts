/**
 * The control tokens of chat templates: ChatML, Llama 2 to 4, Gemma, DeepSeek, Phi, Command, Harmony, Mistral, Kimi, GLM,
 * MiniMax, Granite, Seed, Nemotron, EXAONE and the XML of tool calls. Names are in lower case.
 *
 * Tokens between bars (`<|name|>`) need no list: every name is taken.
 */

/** Between angle brackets, with or without a slash: `<s>`, `</tool_call id="1">`. */
export const TAG_NAMES: ReadonlySet<string> = new Set(
  `s bos eos pad unk mask sop eop eod bos_token eos_token pad_token unk_token eot_token end_of_turn_token
  start_of_turn end_of_turn start_of_image end_of_image image_soft_token escape
  start_function_call end_function_call start_function_response end_function_response
  start_function_declaration end_function_declaration
  fim_prefix fim_middle fim_suffix fim_pad fim_begin fim_hole fim_end endoftext im_start im_end
  tool_call tool_calls tool_response tool_responses tool_result tool_results tool_use tool_code tool_output tool_outputs
  toolcall toolresponse available_tools tool_declare tool_list
  function_call function_calls function_response function_responses function_result function_results invoke
  arg_key arg_value think thinking thought thoughts reasoning scratchpad scratch_pad reflection
  system-reminder system_reminder system_prompt system_message user_message assistant_message
  tool_output_quarantine untrusted_content`.split(/\s+/),
);

/** The same, followed by `=`: `<function=name>`. */
export const ASSIGNED_NAMES: ReadonlySet<string> = new Set(["function", "parameter"]);

/** What stands before a colon in a tag of a model's own: `<seed:think>`. */
export const TAG_NAMESPACES: ReadonlySet<string> = new Set(["antml", "seed", "minimax"]);

/** Numbered tokens: `<unused12>`. */
export const NUMBERED_TAG = /^(?:unused|extra_id_|special_|reserved_|reserved_token_|image_|audio_)\d+$/;

/** Between bars and known well enough to be taken without their end: `<|im_start`. */
export const OPEN_BAR_NAMES: ReadonlySet<string> = new Set(
  `im_start im_end im_sep im_user im_assistant im_system im_middle endoftext startoftext begin_of_text end_of_text
  start_header_id end_header_id eot_id eom_id python_tag header_start header_end start_of_role end_of_role
  begin▁of▁sentence end▁of▁sentence start_of_turn_token end_of_turn_token system_token user_token chatbot_token
  tool_calls_section_begin tool_calls_section_end tool_call_begin tool_call_end fim_prefix fim_middle fim_suffix
  endofprompt return endofturn`.split(/\s+/),
);

/** Between square brackets, in any case: `[/INST]`. */
export const BRACKET_NAMES: ReadonlySet<string> = new Set(
  `inst available_tools tool_calls tool_call tool_results tool_result tool_content system_prompt model_settings call_id
  img_break img_end begin_audio transcribe gmask smask sop`.split(/\s+/),
);

/** Between square brackets, in capitals only: usage texts are full of `[args]`. */
export const CAPITAL_BRACKET_NAMES: ReadonlySet<string> = new Set(
  "IMG PREFIX SUFFIX MIDDLE ARGS THINK AUDIO CLS SEP MASK PAD UNK BOS EOS".split(" "),
);

export const NUMBERED_BRACKET = /^(?:unused_token_|control_|special_)\d+$/;

/** Before a colon, after an empty line or at the very start. */
export const TURN_NAMES: ReadonlySet<string> = new Set(["human", "assistant"]);
